// One extractor of Node.js over many pages; run by peers.py.
//
//     node extract.mjs TOOL PAGES NAMES OUT      TOOL: defuddle, readability_js
//
// Reads all pages, extracts the text and what the page says of itself as the
// tool's own documentation does, then writes OUT/SET/ID.txt and .json.  Prints
// the seconds of CPU time, the version, and how many pages raised an exception.
import { Readability } from "@mozilla/readability";
import { Defuddle } from "defuddle/node";
import sniffEncoding from "html-encoding-sniffer";
import { JSDOM, VirtualConsole } from "jsdom";
import { parseHTML } from "linkedom";
import fs from "node:fs";
import path from "node:path";
import process from "node:process";

const URL = "http://a.example/";
const BLOCK = "address article aside blockquote br dd div dl dt figcaption " +
    "figure h1 h2 h3 h4 h5 h6 hr li main ol p pre section table td th tr ul";
const quiet = new VirtualConsole();

function dom(bytes) {
    return new JSDOM(bytes, { url: URL, virtualConsole: quiet });
}

// Twenty times as fast for defuddle, which names it among what it takes.
function linked(bytes) {
    const text = new TextDecoder(sniffEncoding(bytes)).decode(bytes);

    return parseHTML(text).document;
}

// The text of an element, a line for each block.
function lines(html) {
    const { document } = parseHTML(`<html><body>${html}</body></html>`);
    for (const e of document.querySelectorAll(BLOCK.split(" ").join(","))) {
        e.before("\n");
        e.after("\n");
    }
    return document.body.textContent;
}

const tools = {
    async defuddle(bytes) {
        const r = await Defuddle(linked(bytes), URL,
            { useAsync: false });
        return { text: lines(r.content ?? ""), title: r.title,
            author: r.author, date: r.published };
    },
    async readability_js(bytes) {
        const { window } = dom(bytes);
        try {
            const r = new Readability(window.document).parse();
            return r === null ? { text: "" } : { text: lines(r.content),
                title: r.title, author: r.byline, date: r.publishedTime };
        } finally {
            window.close(); // or all pages stay in memory
        }
    },
};
const packages = { defuddle: "defuddle", readability_js: "@mozilla/readability" };

function write(out, name, found) {
    const { text, ...said } = found;
    const file = path.join(out, name);

    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file + ".txt", text);
    fs.writeFileSync(file + ".json", JSON.stringify(said));
}

async function main([tool, pages, list, out]) {
    const names = fs.readFileSync(list, "utf8").split("\n");
    const found = [];
    let failed = 0;

    console.log = console.warn = console.error = () => {}; // tools chat
    await tools[tool](Buffer.from("<p>warm</p>"));
    const bodies = names.map(
        (n) => fs.readFileSync(path.join(pages, n + ".html")));
    const before = process.cpuUsage();
    for (const body of bodies) {
        try {
            found.push(await tools[tool](body));
        } catch {
            found.push({ text: "" });
            failed++;
        }
        await new Promise(setImmediate); // closed windows are freed by then
    }
    const spent = process.cpuUsage(before);
    names.forEach((name, i) => write(out, name, found[i]));
    const about = JSON.parse(fs.readFileSync(path.join(
        import.meta.dirname, "node_modules", packages[tool], "package.json")));
    process.stdout.write(`${((spent.user + spent.system) / 1e6).toFixed(3)} ` +
        `${about.version} ${failed}\n`);
}

await main(process.argv.slice(2));
