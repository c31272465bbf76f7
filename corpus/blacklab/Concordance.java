/* Concordance.java -- index vertical files with BlackLab, and ask the index.
 *
 *   java -cp 'JARS/*' Concordance.java index FOLDER FILE...
 *   java -cp 'JARS/*' Concordance.java query FOLDER 'CQL' [LINES]
 *
 * FILEs are what `winnow job vertical` writes, in BlackLab's format sketch-wpl:
 * word, pos, lemma.  query prints how many hits there are, then LINES (10) of
 * them: left context, TAB, hit, TAB, right context, TAB, URL; exit 1: none.
 * pom.xml, beside this file, fetches the JARS. */
import java.io.File;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import nl.inl.blacklab.index.Indexer;
import nl.inl.blacklab.queryParser.corpusql.CorpusQueryLanguageParser;
import nl.inl.blacklab.resultproperty.HitPropertyDocumentId;
import nl.inl.blacklab.resultproperty.HitPropertyHitPosition;
import nl.inl.blacklab.resultproperty.HitPropertyMultiple;
import nl.inl.blacklab.search.BlackLab;
import nl.inl.blacklab.search.BlackLabIndex;
import nl.inl.blacklab.search.Kwic;
import nl.inl.blacklab.search.indexmetadata.Annotation;
import nl.inl.blacklab.search.results.ContextSize;
import nl.inl.blacklab.search.results.Hit;
import nl.inl.blacklab.search.results.Hits;
import nl.inl.blacklab.search.results.Kwics;
import nl.inl.blacklab.search.results.QueryInfo;

public class Concordance {
    static final int CONTEXT = 8;

    static void index(String folder, String[] files, int from) throws Exception {
        Indexer indexer = Indexer.createNewIndex(new File(folder), "sketch-wpl");
        for (int i = from; i < files.length; i++)
            indexer.index(new File(files[i]));
        long tokens = indexer.listener().getTokensProcessed();
        indexer.close();
        System.out.println(tokens + " tokens indexed");
        if (tokens == 0)
            System.exit(1);
    }

    /* A list of Kwic has what stands behind a word and then the word. */
    static String words(List<String> words) {
        return String.join(" ", words);
    }

    static boolean query(String folder, String cql, int lines) throws Exception {
        try (BlackLabIndex index = BlackLab.open(new File(folder))) {
            QueryInfo info = QueryInfo.create(index);
            Annotation word = index.mainAnnotatedField().mainAnnotation();
            Hits hits = index.find(CorpusQueryLanguageParser.parse(cql).toQuery(info));
            /* Segments are searched side by side: without this no order is theirs. */
            hits = hits.sort(new HitPropertyMultiple(new HitPropertyDocumentId(),
                                                     new HitPropertyHitPosition()));
            long all = hits.hitsStats().countedTotal();
            System.out.println(all + " hits of " + cql);
            Kwics kwics = hits.kwics(ContextSize.get(CONTEXT, CONTEXT * 2));
            for (Hit hit : hits) {
                if (lines-- <= 0)
                    break;
                Kwic kwic = kwics.get(hit);
                System.out.println(words(kwic.before(word)) + "\t" + words(kwic.match(word)) + "\t" +
                                   words(kwic.after(word)) + "\t" +
                                   index.luceneDoc(hit.doc()).get("url"));
            }
            return all > 0;
        }
    }

    public static void main(String[] args) throws Exception {
        System.setOut(new PrintStream(System.out, true, StandardCharsets.UTF_8));
        boolean found = true;
        if (args.length >= 3 && args[0].equals("index")) {
            index(args[1], args, 2);
        } else if (args.length >= 3 && args[0].equals("query")) {
            found = query(args[1], args[2], args.length > 3 ? Integer.parseInt(args[3]) : 10);
        } else {
            System.err.println("usage: Concordance.java index FOLDER FILE... | query FOLDER CQL [LINES]");
            System.exit(2);
        }
        System.exit(found ? 0 : 1); /* BlackLab's threads would go on */
    }
}
