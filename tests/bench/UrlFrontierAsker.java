/* UrlFrontierAsker -- how many known URLs a second a URLFrontier turns away.
 *
 * The asker of urlfrontier.py: as bench_wire it makes its messages before the
 * clock starts and sends all of them again and again until the time is over,
 * each thread over a connection of its own.  A run before the clock starts lets
 * the JVM warm up.
 *
 * java -cp CLIENT.jar UrlFrontierAsker.java HOST PORT FILE THREADS BATCH WARM SECONDS
 *
 * BATCH 0: a URL a message over PutURLs; else so many a message over
 * PutDiscovered.  Prints: URLs answered, known ones, seconds, seconds of CPU. */
import crawlercommons.urlfrontier.URLFrontierGrpc;
import crawlercommons.urlfrontier.Urlfrontier.AckMessage;
import crawlercommons.urlfrontier.Urlfrontier.BatchAck;
import crawlercommons.urlfrontier.Urlfrontier.DiscoveredBatch;
import crawlercommons.urlfrontier.Urlfrontier.DiscoveredURLItem;
import crawlercommons.urlfrontier.Urlfrontier.URLInfo;
import crawlercommons.urlfrontier.Urlfrontier.URLItem;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

public class UrlFrontierAsker {
    static final AtomicLong answered = new AtomicLong(), known = new AtomicLong();
    static final int AHEAD = 10000; // URLs, as its own client
    static volatile boolean over;

    /** One stream: sends while there is room, counts what comes back. */
    abstract static class Stream<Q, R> implements ClientResponseObserver<Q, R> {
        ClientCallStreamObserver<Q> out;
        private long ahead;
        private boolean ended;

        abstract int urls(R reply);

        abstract int known(R reply);

        @Override
        public void beforeStart(ClientCallStreamObserver<Q> stream) {
            out = stream;
            stream.setOnReadyHandler(this::wake);
        }

        @Override
        public void onNext(R reply) {
            answered.addAndGet(urls(reply));
            known.addAndGet(known(reply));
            synchronized (this) {
                ahead -= urls(reply);
                notifyAll();
            }
        }

        @Override
        public void onError(Throwable why) {
            System.err.println(why);
            System.exit(1);
        }

        @Override
        public synchronized void onCompleted() {
            ended = true;
            notifyAll();
        }

        private synchronized void wake() {
            notifyAll();
        }

        void send(List<Q> messages, int each) throws InterruptedException {
            for (int i = 0; !over; i = (i + 1) % messages.size()) {
                synchronized (this) {
                    while (ahead + each > AHEAD || !out.isReady()) {
                        wait(100);
                    }
                    ahead += each;
                }
                out.onNext(messages.get(i));
            }
            out.onCompleted();
            synchronized (this) {
                while (!ended) {
                    wait(100);
                }
            }
        }
    }

    static class OneByOne extends Stream<URLItem, AckMessage> {
        @Override
        int urls(AckMessage reply) {
            return 1;
        }

        @Override
        int known(AckMessage reply) {
            return reply.getStatus() == AckMessage.Status.SKIPPED ? 1 : 0;
        }
    }

    static class Batches extends Stream<DiscoveredBatch, BatchAck> {
        @Override
        int urls(BatchAck reply) {
            return reply.getStatusesCount();
        }

        @Override
        int known(BatchAck reply) {
            int n = 0;
            for (AckMessage.Status s : reply.getStatusesList()) {
                n += s == AckMessage.Status.SKIPPED ? 1 : 0;
            }
            return n;
        }
    }

    static void ask(String host, int port, List<String> urls, int batch) {
        ManagedChannel c = ManagedChannelBuilder.forAddress(host, port).usePlaintext().build();
        URLFrontierGrpc.URLFrontierStub stub = URLFrontierGrpc.newStub(c);
        List<URLItem> items = new ArrayList<>();
        List<DiscoveredBatch> batches = new ArrayList<>();
        DiscoveredBatch.Builder next = DiscoveredBatch.newBuilder();

        for (String url : urls) {
            URLInfo info = URLInfo.newBuilder().setUrl(url).setCrawlID("DEFAULT").build();
            if (batch == 0) {
                items.add(URLItem.newBuilder().setID(url)
                        .setDiscovered(DiscoveredURLItem.newBuilder().setInfo(info)).build());
                continue;
            }
            next.addItems(info);
            if (next.getItemsCount() == batch) {
                batches.add(next.setID(url).build());
                next = DiscoveredBatch.newBuilder();
            }
        }
        try {
            begin.await();
            if (batch == 0) {
                OneByOne s = new OneByOne();
                stub.putURLs(s);
                s.send(items, 1);
            } else {
                Batches s = new Batches();
                stub.putDiscovered(s);
                s.send(batches, batch);
            }
        } catch (Exception e) {
            e.printStackTrace();
            System.exit(1);
        }
        c.shutdownNow();
    }

    static java.util.concurrent.CyclicBarrier begin;

    static double cpu() {
        return ((com.sun.management.OperatingSystemMXBean)
                java.lang.management.ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime() / 1e9;
    }

    public static void main(String[] a) throws Exception {
        List<String> urls = Files.readAllLines(Paths.get(a[2]));
        int threads = Integer.parseInt(a[3]), batch = Integer.parseInt(a[4]);
        List<Thread> all = new ArrayList<>();

        begin = new java.util.concurrent.CyclicBarrier(threads + 1);
        for (int t = 0; t < threads; t++) {
            List<String> part = urls.subList((int) ((long) urls.size() * t / threads),
                    (int) ((long) urls.size() * (t + 1) / threads));
            Thread thread = new Thread(() -> ask(a[0], Integer.parseInt(a[1]), part, batch));
            thread.start();
            all.add(thread);
        }
        begin.await();
        Thread.sleep(Long.parseLong(a[5]) * 1000);

        long n = answered.get(), k = known.get(), at = System.nanoTime();
        double used = cpu();
        System.out.println("begin");
        System.out.flush();
        Thread.sleep(Long.parseLong(a[6]) * 1000);
        System.out.printf("end %d %d %.3f %.2f%n", answered.get() - n, known.get() - k,
                (System.nanoTime() - at) / 1e9, cpu() - used);
        System.out.flush();
        over = true;
        for (Thread thread : all) {
            thread.join();
        }
        System.exit(0);
    }
}
