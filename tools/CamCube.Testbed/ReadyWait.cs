using System.Diagnostics;
using System.Globalization;

namespace CamCube.Testbed;

/// <summary>Waits for servers to get ready.</summary>
/// <param name="state">The testbed.</param>
/// <param name="ask">Asks the server of a rank why it is not ready; null: it is. All are asked at once, and answer on
/// any thread. Null: over HTTP, in the server's namespace.</param>
public sealed class ReadyWait(TestbedState state, Func<int, CancellationToken, Task<string?>>? ask = null)
{
    /// <summary>Each round costs every server an answer while all of them start on few processors.</summary>
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(250);

    private const int MostNamed = 8;

    /// <summary>Returns when all of these are ready.</summary>
    /// <param name="ranks">The servers.</param>
    /// <param name="limit">How long to wait.</param>
    /// <param name="failing">Called before this fails.</param>
    /// <param name="cancel">Ctrl+C.</param>
    /// <exception cref="TestbedException">One ended, or the time is over; the line names the servers and says
    /// why.</exception>
    public async Task RunAsync(IReadOnlyList<int> ranks, TimeSpan limit, Action failing, CancellationToken cancel)
    {
        long begin = Stopwatch.GetTimestamp();
        Dictionary<int, ServerProbe> probes = ask is not null
            ? []
            : ranks.ToDictionary(rank => rank, rank => new ServerProbe(state.Servers[rank].Namespace));
        try
        {
            int[] waiting = [.. ranks.Order()];
            for (; ; )
            {
                // Answers are put down by this method alone, after all are there: they come on many threads at once.
                string?[] whys = await Task.WhenAll(waiting.Select(rank => (ask ?? ProbeAsync)(rank, cancel)));
                (int Rank, string Why)[] late =
                [
                    .. waiting.Zip(whys).Where(r => r.Second is not null).Select(r => (r.First, r.Second!)),
                ];
                waiting = [.. late.Select(one => one.Rank)];
                if (late.Length == 0)
                {
                    return;
                }

                int[] ended = [.. waiting.Where(rank => state.Servers[rank].Process?.IsAlive() != true)];
                if (ended.Length > 0 || Stopwatch.GetElapsedTime(begin) > limit)
                {
                    failing();
                    throw new TestbedException(ended.Length > 0 ? Ended(ended) : Late(late, limit));
                }

                await Task.Delay(Pause, cancel);
            }
        }
        finally
        {
            foreach (ServerProbe probe in probes.Values)
            {
                probe.Dispose();
            }
        }

        Task<string?> ProbeAsync(int rank, CancellationToken cancel) => probes[rank].WhyNotReadyAsync(cancel);
    }

    private string Ended(int[] ranks)
    {
        string last = LastLine(ranks[0]);
        return $"{Count(ranks.Length)} of {state.Servers.Count} ended: "
            + $"{Names(ranks, rank => state.Servers[rank].Coordinate)}. "
            + $"The output of {state.Servers[ranks[0]].Coordinate} ends: {(last.Length > 0 ? last : "(nothing)")} "
            + $"{Logs()}";
    }

    private string Late((int Rank, string Why)[] late, TimeSpan limit)
    {
        string time = string.Create(CultureInfo.InvariantCulture, $"{Math.Max(limit.TotalSeconds, 0):F0}");
        return $"{Count(late.Length)} of {state.Servers.Count} not ready after {time} s: "
            + $"{Names(late, one => $"{state.Servers[one.Rank].Coordinate} ({one.Why})")}. {Logs()}";
    }

    private static string Count(int servers) => servers == 1 ? "1 server" : $"{servers} servers";

    private static string Names<T>(T[] servers, Func<T, string> name) =>
        string.Join(", ", servers.Take(MostNamed).Select(name))
        + (servers.Length > MostNamed ? $", and {servers.Length - MostNamed} more" : "");

    private string Logs() =>
        $"Logs: {TestbedStore.FolderOf(state.Plan.Name)}/*.log; the testbed stays until 'camcube testbed down'.";

    private string LastLine(int rank)
    {
        string log = TestbedStore.LogOf(state.Plan, state.Plan.Torus().At(rank));
        return File.Exists(log) ? File.ReadLines(log).LastOrDefault(line => line.Trim().Length > 0) ?? "" : "";
    }
}
