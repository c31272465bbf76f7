"""What the linker and compiler were asked for is in the files: full RELRO, no
executable stack, position independence, stack protector, checked libc calls,
and on x86-64 control-flow protection.

Usage: hardening.py PROGRAM LIBRARY"""
import struct
import sys

PT_LOAD, PT_DYNAMIC, PT_GNU_STACK, PT_GNU_RELRO = 1, 2, 0x6474E551, 0x6474E552
DT_TEXTREL, DT_BIND_NOW, DT_FLAGS, DT_FLAGS_1 = 22, 24, 30, 0x6FFFFFFB
DF_TEXTREL, DF_BIND_NOW, DF_1_NOW, DF_1_PIE = 4, 8, 1, 0x08000000
SHT_SYMTAB, SHT_DYNSYM = 2, 11
ENDBR64 = b"\xf3\x0f\x1e\xfa"  # where an indirect call may land
ET_DYN, EM_X86_64, PF_X = 3, 62, 1


class Elf:
    def __init__(self, path):
        with open(path, "rb") as f:
            self.bytes = f.read()
        assert self.bytes[:6] == b"\x7fELF\x02\x01", "64-bit little-endian ELF"
        self.type, self.machine = struct.unpack_from("<HH", self.bytes, 16)
        ph, sh = struct.unpack_from("<QQ", self.bytes, 32)
        ph_size, ph_n, sh_size, sh_n = struct.unpack_from("<HHHH", self.bytes, 54)
        # type, flags, offset, vaddr, paddr, filesz, memsz, align
        self.segments = [struct.unpack_from("<IIQQQQQQ", self.bytes, ph + i * ph_size)
                         for i in range(ph_n)]
        # name, type, flags, addr, offset, size, link, info, align, entsize
        self.sections = [struct.unpack_from("<IIQQQQIIQQ", self.bytes, sh + i * sh_size)
                         for i in range(sh_n)]

    def segment(self, kind):
        return next((s for s in self.segments if s[0] == kind), None)

    def dynamic(self):
        _, _, at, _, _, size, _, _ = self.segment(PT_DYNAMIC)
        return {tag: value
                for tag, value in struct.iter_unpack("<QQ", self.bytes[at:at + size])}

    def symbols(self, kind):
        """Name and address (0: imported)."""
        table = next(s for s in self.sections if s[1] == kind)
        names = self.sections[table[6]][4]
        for at in range(table[4], table[4] + table[5], 24):
            name, _, _, _, value = struct.unpack_from("<IBBHQ", self.bytes, at)
            name += names
            yield self.bytes[name:self.bytes.index(b"\0", name)].decode(), value

    def code_at(self, address, n):
        for kind, _, offset, start, _, size, _, _ in self.segments:
            if kind == PT_LOAD and start <= address < start + size:
                return self.bytes[offset + address - start:][:n]
        return b""


def missing(path, is_program):
    elf = Elf(path)
    dynamic = elf.dynamic()
    imports = {name for name, value in elf.symbols(SHT_DYNSYM) if value == 0}
    function, table = (("main", SHT_SYMTAB) if is_program
                       else ("winnow_clean", SHT_DYNSYM))
    flags, flags_1 = dynamic.get(DT_FLAGS, 0), dynamic.get(DT_FLAGS_1, 0)
    stack = elf.segment(PT_GNU_STACK)
    wanted = {
        "position independent": elf.type == ET_DYN
        and (not is_program or flags_1 & DF_1_PIE),
        "RELRO": elf.segment(PT_GNU_RELRO) is not None,
        "bound at start": DT_BIND_NOW in dynamic or flags & DF_BIND_NOW
        or flags_1 & DF_1_NOW,
        "no executable stack": stack is not None and not stack[1] & PF_X,
        "no text relocations": DT_TEXTREL not in dynamic and not flags & DF_TEXTREL,
        "stack protector": "__stack_chk_fail" in imports,
        "_FORTIFY_SOURCE": {"__memcpy_chk", "__snprintf_chk", "__vsnprintf_chk",
                            "__memset_chk"} & imports,
    }
    if elf.machine == EM_X86_64:
        # The file's own mark needs a C library that has it, too.
        wanted["control-flow protection"] = (
            elf.code_at(dict(elf.symbols(table))[function], 4) == ENDBR64)
    return [what for what, there in wanted.items() if not there]


def main():
    faults = 0
    for path, is_program in (sys.argv[1], True), (sys.argv[2], False):
        for what in missing(path, is_program):
            print(f"{path}: {what}: no")
            faults += 1
    return 1 if faults else 0


sys.exit(main())
