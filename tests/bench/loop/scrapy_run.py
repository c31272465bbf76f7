"""scrapy_run.py -- the list of URLs by Scrapy, for loop.py: `scrapy_run.py URLS
PROXY OUT store|trafilatura`.

Each answer is stored as it is (a line of JSON), or what Trafilatura extracts of it.
robots.txt is obeyed, no delays, 64 requests at once, one at a time to a host, as
Winnow does.  The last line of OUT.counts says how many requests were answered.
Needs scrapy, and trafilatura for that.
"""
import json
import sys

import scrapy
from scrapy.crawler import CrawlerProcess

URLS, PROXY, OUT, MODE = sys.argv[1:5]
if MODE == "trafilatura":
    import trafilatura


class Pages(scrapy.Spider):
    name = "pages"

    async def start(self):
        with open(URLS, encoding="utf-8") as f:
            for line in f:
                yield scrapy.Request(line.strip(), meta={"proxy": PROXY}, dont_filter=True)

    def parse(self, response, **_):
        if MODE == "trafilatura":
            text = trafilatura.extract(response.body, url=response.url)
        else:
            text = response.body.decode("latin-1")
        if text:
            self.out.write(json.dumps({"url": response.url, "text": text}) + "\n")

    def closed(self, _reason):
        self.out.close()


class Robots:
    """robots.txt goes through the proxy, too."""

    def process_request(self, request, spider=None):
        request.meta.setdefault("proxy", PROXY)


Pages.out = open(OUT, "w", encoding="utf-8")
process = CrawlerProcess({
    "ROBOTSTXT_OBEY": True, "CONCURRENT_REQUESTS": 64, "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
    "DOWNLOAD_DELAY": 0, "LOG_LEVEL": "ERROR", "TELNETCONSOLE_ENABLED": False,
    "COOKIES_ENABLED": False, "RETRY_ENABLED": False, "USER_AGENT": "bench (+http://localhost/)",
    "DOWNLOADER_MIDDLEWARES": {Robots: 50}})
crawler = process.create_crawler(Pages)
process.crawl(crawler)
process.start()
with open(OUT + ".counts", "w", encoding="ascii") as f:
    f.write("%d\n" % crawler.stats.get_value("downloader/response_count", 0))
