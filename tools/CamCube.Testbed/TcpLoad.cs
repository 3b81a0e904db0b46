using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

namespace CamCube.Testbed;

/// <summary>TCP between network namespaces of this machine, as programs there send it, as fast as it goes. Used once.
/// Needs root.</summary>
/// <param name="ends">Who sends and receives.</param>
/// <param name="pairs">Who sends to whom, by their places.</param>
/// <param name="options">How much.</param>
public sealed class TcpLoad(
    IReadOnlyList<TcpLoadEnd> ends,
    IReadOnlyList<(int From, int To)> pairs,
    TcpLoadOptions options
)
{
    private static readonly TimeSpan ConnectLimit = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan Tick = TimeSpan.FromMilliseconds(200);

    /// <summary>Each to all others.</summary>
    public static IReadOnlyList<(int From, int To)> AllToAll(int count) =>
        [
            .. Enumerable
                .Range(0, count)
                .SelectMany(from => Enumerable.Range(1, count - 1).Select(i => (from, (from + i) % count))),
        ];

    /// <summary>Runs it.</summary>
    /// <param name="tick">Told what is done, and bytes received so far.</param>
    /// <param name="cancel">Ctrl+C.</param>
    /// <exception cref="TestbedException">An end cannot be reached, or a namespace not entered.</exception>
    /// <exception cref="OperationCanceledException">It was cancelled.</exception>
    public async Task<TcpLoadResult> RunAsync(Action<string, long> tick, CancellationToken cancel)
    {
        List<TcpLoadStream> streams = [];
        using var over = CancellationTokenSource.CreateLinkedTokenSource(cancel);
        try
        {
            await ConnectAsync(streams, tick, cancel);
            Task running = Task.WhenAll(streams.Select(stream => stream.RunAsync(over.Token)));
            await WaitAsync("warming up", options.Warmup, streams, tick, cancel);
            long[] sent = [.. streams.Select(stream => stream.Sent)],
                received = [.. streams.Select(stream => stream.Received)];
            long began = Stopwatch.GetTimestamp();
            await WaitAsync("measuring", options.Time, streams, tick, cancel);
            double seconds = Stopwatch.GetElapsedTime(began).TotalSeconds;
            TcpLoadResult result = Sum(streams, sent, received, seconds);
            await over.CancelAsync();
            await running;
            return result;
        }
        finally
        {
            streams.ForEach(stream => stream.Dispose());
        }
    }

    private async Task ConnectAsync(List<TcpLoadStream> streams, Action<string, long> tick, CancellationToken cancel)
    {
        var listeners = new Socket?[ends.Count];
        try
        {
            foreach ((int from, int to) in pairs)
            {
                Socket listener = listeners[to] ??= Open(to, isListener: true);
                for (int i = 0; i < options.Streams; i++)
                {
                    streams.Add(await ConnectAsync(from, to, listener, cancel));
                    tick($"{streams.Count:N0} connections", 0);
                }
            }
        }
        finally
        {
            Array.ForEach(listeners, listener => listener?.Dispose());
        }
    }

    private async Task<TcpLoadStream> ConnectAsync(int from, int to, Socket listener, CancellationToken cancel)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancel);
        limit.CancelAfter(ConnectLimit);
        Socket sending = Open(from, isListener: false);
        try
        {
            await sending.ConnectAsync(listener.LocalEndPoint!, limit.Token);
            return new TcpLoadStream(sending, await listener.AcceptAsync(limit.Token), from, to);
        }
        catch (Exception e) when (e is SocketException or OperationCanceledException)
        {
            sending.Dispose();
            cancel.ThrowIfCancellationRequested();
            string why = e is SocketException ? e.Message : $"no answer in {ConnectLimit.TotalSeconds:0} s";
            throw new TestbedException(
                $"{ends[from].Name} does not reach {ends[to].Name} at {ends[to].Address}: {why}."
            );
        }
    }

    private Socket Open(int place, bool isListener)
    {
        TcpLoadEnd end = ends[place];
        try
        {
            Socket socket = NetworkNamespace.Inside(
                end.Namespace,
                () => new Socket(end.Address.AddressFamily, SocketType.Stream, ProtocolType.Tcp)
            );
            socket.Bind(new IPEndPoint(end.Address, 0));
            if (isListener)
            {
                socket.Listen();
            }

            return socket;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or SocketException)
        {
            throw new TestbedException(
                $"no socket for {end.Name} in {end.Namespace}: {e.Message} It needs root, on the host's own machine."
            );
        }
    }

    private static async Task WaitAsync(
        string what,
        TimeSpan time,
        List<TcpLoadStream> streams,
        Action<string, long> tick,
        CancellationToken cancel
    )
    {
        long began = Stopwatch.GetTimestamp();
        for (TimeSpan left; (left = time - Stopwatch.GetElapsedTime(began)) > TimeSpan.Zero; )
        {
            tick(what, streams.Sum(stream => stream.Received));
            await Task.Delay(left < Tick ? left + TimeSpan.FromMilliseconds(1) : Tick, cancel);
        }
    }

    private TcpLoadResult Sum(List<TcpLoadStream> streams, long[] sent, long[] received, double seconds)
    {
        long[] gave = new long[ends.Count],
            got = new long[ends.Count];
        TcpFacts facts = default;
        for (int i = 0; i < streams.Count; i++)
        {
            gave[streams[i].From] += streams[i].Sent - sent[i];
            got[streams[i].To] += streams[i].Received - received[i];
            TcpFacts own = streams[i].Facts;
            facts = new TcpFacts(
                facts.SentAgain + own.SentAgain,
                facts.SegmentsIn + own.SegmentsIn,
                facts.OutOfOrder + own.OutOfOrder
            );
        }

        double PerSecond(long bytes) => bytes * 8 / seconds;
        double[] rates = [.. pairs.Select(pair => pair.To).Distinct().Select(to => PerSecond(got[to])).Order()];
        return new TcpLoadResult(
            seconds,
            streams.Count,
            streams.Count(stream => stream.IsBroken),
            [
                .. ends.Select(
                    (end, i) => new TcpLoadRow(end.Name, got[i], PerSecond(got[i]), gave[i], PerSecond(gave[i]))
                ),
            ],
            (rates[(rates.Length - 1) / 2] + rates[rates.Length / 2]) / 2,
            rates[0],
            rates[^1],
            rates.Sum(),
            facts.SegmentsIn,
            facts.OutOfOrder,
            facts.SentAgain
        );
    }
}
