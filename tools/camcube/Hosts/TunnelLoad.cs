using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using CamCube.Testbed;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Hosts;

/// <summary>TCP over the tunnel between servers of one host, as programs of their machines use it: from each server's
/// network namespace to others', as fast as it goes.</summary>
/// <param name="servers">The servers, each with a namespace of its own and an open card.</param>
/// <param name="pairs">Who sends to whom, by the places of the servers.</param>
/// <param name="options">How much.</param>
internal sealed class TunnelLoad(
    IReadOnlyList<TunnelStatusAnswer> servers,
    IReadOnlyList<(int From, int To)> pairs,
    TunnelLoadOptions options
)
{
    private static readonly TimeSpan ConnectLimit = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan Tick = TimeSpan.FromMilliseconds(200);

    /// <summary>Runs it.</summary>
    /// <param name="tick">Told what is done, and bytes received so far.</param>
    /// <param name="cancel">Ctrl+C.</param>
    /// <exception cref="ToolException">A server cannot be reached, or a namespace not entered.</exception>
    public async Task<TunnelLoadResult> RunAsync(Action<string, long> tick, CancellationToken cancel)
    {
        List<TunnelLoadStream> streams = [];
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
            TunnelLoadResult result = Sum(streams, sent, received, seconds);
            await over.CancelAsync();
            await running;
            return result;
        }
        finally
        {
            streams.ForEach(stream => stream.Dispose());
        }
    }

    private async Task ConnectAsync(List<TunnelLoadStream> streams, Action<string, long> tick, CancellationToken cancel)
    {
        var listeners = new Socket?[servers.Count];
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

    private async Task<TunnelLoadStream> ConnectAsync(int from, int to, Socket listener, CancellationToken cancel)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancel);
        limit.CancelAfter(ConnectLimit);
        Socket sending = Open(from, isListener: false);
        try
        {
            await sending.ConnectAsync(listener.LocalEndPoint!, limit.Token);
            return new TunnelLoadStream(sending, await listener.AcceptAsync(limit.Token), from, to);
        }
        catch (Exception e) when (e is SocketException or OperationCanceledException)
        {
            sending.Dispose();
            cancel.ThrowIfCancellationRequested();
            string why = e is SocketException ? e.Message : $"no answer in {ConnectLimit.TotalSeconds:0} s";
            throw new ToolException(
                ExitCode.Failed,
                $"{servers[from].Server} does not reach {servers[to].Server} over the tunnel: {why}."
            );
        }
    }

    private Socket Open(int server, bool isListener)
    {
        TunnelStatusAnswer row = servers[server];
        var address = IPAddress.Parse(options.Is6 ? row.Address6 : row.Address4);
        try
        {
            Socket socket = NetworkNamespace.Inside(
                row.Namespace!,
                () => new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp)
            );
            socket.Bind(new IPEndPoint(address, 0));
            if (isListener)
            {
                socket.Listen();
            }

            return socket;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or SocketException)
        {
            throw new ToolException(
                ExitCode.Failed,
                $"no socket for {row.Server} in {row.Namespace}: {e.Message} It needs root, on the host's own machine."
            );
        }
    }

    private static async Task WaitAsync(
        string what,
        TimeSpan time,
        List<TunnelLoadStream> streams,
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

    private TunnelLoadResult Sum(List<TunnelLoadStream> streams, long[] sent, long[] received, double seconds)
    {
        long[] gave = new long[servers.Count],
            got = new long[servers.Count];
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
        return new TunnelLoadResult(
            seconds,
            streams.Count,
            streams.Count(stream => stream.IsBroken),
            [
                .. servers.Select(
                    (row, i) => new TunnelLoadRow(row.Server, got[i], PerSecond(got[i]), gave[i], PerSecond(gave[i]))
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
