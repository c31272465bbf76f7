// One extractor of Rust over many pages; run by peers.py.
//
//     extract PAGES NAMES OUT
//
// Reads all pages, extracts the text and what the page says of itself with
// rs-trafilatura as its documentation does, then writes OUT/SET/ID.txt and
// .json.  Prints the seconds of CPU time, the version, and how many pages gave
// an error.
use std::{env, fs, panic, path::Path};

#[derive(Default)]
struct Page {
    text: String,
    title: String,
    author: String,
    date: String,
}

fn extract(body: &[u8]) -> Option<Page> {
    let r = panic::catch_unwind(|| rs_trafilatura::extract_bytes(body))
        .ok()?
        .ok()?;
    let date = r.metadata.date.map(|d| d.format("%Y-%m-%d").to_string());
    Some(Page {
        text: r.content_text,
        title: r.metadata.title.unwrap_or_default(),
        author: r.metadata.author.unwrap_or_default(),
        date: date.unwrap_or_default(),
    })
}

fn seconds() -> f64 {
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    unsafe { libc::getrusage(libc::RUSAGE_SELF, &mut usage) };
    let of = |t: libc::timeval| t.tv_sec as f64 + t.tv_usec as f64 / 1e6;
    of(usage.ru_utime) + of(usage.ru_stime)
}

fn main() -> std::io::Result<()> {
    let args: Vec<String> = env::args().collect();
    let (pages, out) = (Path::new(&args[1]), Path::new(&args[3]));
    let list = fs::read_to_string(&args[2])?;
    let mut bodies = Vec::new();
    for name in list.split('\n') {
        bodies.push(fs::read(pages.join(format!("{name}.html")))?);
    }
    panic::set_hook(Box::new(|_| {})); // counted, not told
    let before = seconds();
    let found: Vec<Option<Page>> = bodies.iter().map(|b| extract(b)).collect();
    let spent = seconds() - before;
    let failed = found.iter().filter(|p| p.is_none()).count();
    for (name, page) in list.split('\n').zip(found) {
        let page = page.unwrap_or_default();
        let said = serde_json::json!({"title": page.title, "author": page.author,
                                      "date": page.date});
        let file = out.join(name);
        fs::create_dir_all(file.parent().expect("SET/ID"))?;
        fs::write(out.join(format!("{name}.txt")), page.text)?;
        fs::write(out.join(format!("{name}.json")), said.to_string())?;
    }
    println!("{spent:.3} {} {failed}", env!("PEER_VERSION"));
    Ok(())
}
