"""heritrix_run.py -- the list of URLs by Heritrix, for loop.py: `heritrix_run.py HOME
FOLDER URLS PROXY_PORT`.

HOME is an unpacked distribution (Maven Central: org.archive.heritrix:heritrix, the zip
called dist).  It fetches and writes WARC files, as its profile does; it extracts no links,
as none are in scope, so its extractors are left out.  robots.txt is obeyed, no delays, 64
threads, one request at a time to a host.  Names are those of Java's own hosts file.
"""
import os
import socket
import sys

HOME, FOLDER, URLS, PORT = sys.argv[1:5]

OVERRIDES = {
    "metadata.operatorContactUrl": "http://localhost/", "metadata.jobName": "pages",
    "metadata.description": "a benchmark",
    "fetchHttp.httpProxyHost": "127.0.0.1", "fetchHttp.httpProxyPort": PORT,
    "fetchDns.acceptNonDnsResolves": "true",
    "disposition.delayFactor": "0", "disposition.minDelayMs": "0", "disposition.maxDelayMs": "0",
    "disposition.respectCrawlDelayUpToSeconds": "0",
    "crawlController.maxToeThreads": "64", "crawlController.pauseAtStart": "false",
}
MODULES, CRAWLER = "org.archive.modules.", "org.archive.crawler."
BEANS = {
    "candidateScoper": CRAWLER + "prefetch.CandidateScoper",
    "preparer": CRAWLER + "prefetch.FrontierPreparer",
    "preselector": CRAWLER + "prefetch.Preselector",
    "preconditions": CRAWLER + "prefetch.PreconditionEnforcer",
    "fetchDns": MODULES + "fetcher.FetchDNS",
    "fetchHttp": MODULES + "fetcher.FetchHTTP",
    "warcWriter": MODULES + "writer.WARCWriterChainProcessor",
    "candidates": CRAWLER + "postprocessor.CandidatesProcessor",
    "disposition": CRAWLER + "postprocessor.DispositionProcessor",
    "crawlController": CRAWLER + "framework.CrawlController",
    "frontier": CRAWLER + "frontier.BdbFrontier",
    "uriUniqFilter": CRAWLER + "util.BdbUriUniqFilter",
    "actionDirectory": CRAWLER + "framework.ActionDirectory",
    "crawlLimiter": CRAWLER + "framework.CrawlLimitEnforcer",
    "checkpointService": CRAWLER + "framework.CheckpointService",
    "loggerModule": CRAWLER + "reporting.CrawlerLoggerModule",
    "bdb": "org.archive.bdb.BdbModule",
    "cookieStore": MODULES + "fetcher.BdbCookieStore",
    "serverCache": MODULES + "net.BdbServerCache",
    "configPathConfigurer": "org.archive.spring.ConfigPathConfigurer",
}
CHAINS = {
    "candidateProcessors": (MODULES + "CandidateChain", ("candidateScoper", "preparer")),
    "fetchProcessors": (MODULES + "FetchChain",
                        ("preselector", "preconditions", "fetchDns", "fetchHttp")),
    "dispositionProcessors": (MODULES + "DispositionChain",
                              ("warcWriter", "candidates", "disposition")),
}
RULES = (MODULES + "deciderules.RejectDecideRule",
         MODULES + "deciderules.surt.SurtPrefixedDecideRule",
         MODULES + "deciderules.TooManyHopsDecideRule",
         MODULES + "deciderules.PrerequisiteAcceptDecideRule")


def beans():
    """The job's configuration, for Spring."""
    out = ['<beans xmlns="http://www.springframework.org/schema/beans"'
           ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
           ' xmlns:context="http://www.springframework.org/schema/context"'
           ' xsi:schemaLocation="http://www.springframework.org/schema/beans'
           ' http://www.springframework.org/schema/beans/spring-beans-3.0.xsd'
           ' http://www.springframework.org/schema/context'
           ' http://www.springframework.org/schema/context/spring-context-3.0.xsd">',
           "<context:annotation-config/>",
           '<bean class="org.springframework.beans.factory.config.PropertyOverrideConfigurer">'
           '<property name="properties"><value>\n%s\n</value></property></bean>' %
           "\n".join("%s=%s" % kv for kv in OVERRIDES.items()),
           '<bean id="seeds" class="%sseeds.TextSeedModule"><property name="textSource">'
           '<bean class="org.archive.spring.ConfigFile"><property name="path" value="seeds.txt"/>'
           '</bean></property></bean>' % MODULES,
           '<bean id="metadata" class="%sCrawlMetadata" autowire="byName"/>' % MODULES,
           '<bean id="statisticsTracker" class="%sreporting.StatisticsTracker"'
           ' autowire="byName"/>' % CRAWLER,
           '<bean id="sheetOverlaysManager" class="%sspring.SheetOverlaysManager"'
           ' autowire="byType"/>' % CRAWLER,
           '<bean id="scope" class="%sdeciderules.DecideRuleSequence"><property name="rules">'
           '<list>' % MODULES]
    for rule in RULES:
        inner = '<property name="maxHops" value="0"/>' if "TooManyHops" in rule else (
            '<property name="seedsAsSurtPrefixes" value="true"/>' if "Surt" in rule else "")
        out.append('<bean class="%s">%s</bean>' % (rule, inner))
    out.append("</list></property></bean>")
    out += ['<bean id="%s" class="%s"/>' % kv for kv in BEANS.items()]
    for name, (kind, refs) in CHAINS.items():
        out.append('<bean id="%s" class="%s"><property name="processors"><list>%s</list>'
                   '</property></bean>' % (name, kind, "".join('<ref bean="%s"/>' % r
                                                               for r in refs)))
    return "\n".join(out + ["</beans>\n"])


def main():
    job = os.path.join(FOLDER, "jobs", "pages")
    os.makedirs(job)
    with open(URLS, encoding="utf-8") as f:
        urls = f.read()
    with open(os.path.join(job, "seeds.txt"), "w", encoding="utf-8") as f:
        f.write(urls)
    with open(os.path.join(job, "crawler-beans.cxml"), "w", encoding="utf-8") as f:
        f.write(beans())
    hosts = os.path.join(FOLDER, "hosts")
    with open(hosts, "w", encoding="utf-8") as f:
        f.writelines("127.0.0.1 %s\n" % h for h in
                     sorted({u.split("/")[2] for u in urls.split()} | {"localhost", socket.gethostname()}))
    os.chdir(FOLDER)
    os.execvp("java", [
        "java", "-Dheritrix.home=" + HOME, "-Djdk.net.hosts.file=" + hosts,
        "-Ddns.server=127.0.0.1", "-Djava.protocol.handler.pkgs=org.archive.net", "-Xmx1g",
        "-cp", os.path.join(HOME, "lib", "*"), "org.archive.crawler.Heritrix", "-b", "127.0.0.1",
        "-a", "admin:admin", "-j", os.path.join(FOLDER, "jobs"), "-r", "pages"])


main()
