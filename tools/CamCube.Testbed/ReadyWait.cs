using System.Diagnostics;
using System.Globalization;

namespace CamCube.Testbed;

/// <summary>Waits for servers to get ready.</summary>
public sealed class ReadyWait(TestbedState state)
{
    /// <summary>Each round costs every server an answer while all of them start on few processors.</summary>
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(250);

    private const int MostNamed = 8;
    private readonly Dictionary<int, string> _waiting = [];

    /// <summary>Returns when all of these are ready.</summary>
    /// <param name="ranks">The servers.</param>
    /// <param name="limit">How long to wait.</param>
    /// <param name="late">Called before this fails.</param>
    /// <param name="cancel">Ctrl+C.</param>
    /// <exception cref="TestbedException">One ended, or the time is over; the line names the servers and says why.</exception>
    public async Task RunAsync(IReadOnlyList<int> ranks, TimeSpan limit, Action late, CancellationToken cancel)
    {
        long begin = Stopwatch.GetTimestamp();
        Dictionary<int, ServerProbe> probes = ranks.ToDictionary(rank => rank, rank => new ServerProbe(state.Servers[rank].Namespace));
        try
        {
            foreach (int rank in ranks)
            {
                _waiting[rank] = "was not asked yet";
            }

            for (; ; )
            {
                int[] asked = [.. _waiting.Keys.Order()];
                await Task.WhenAll(asked.Select(rank => AskAsync(rank, probes[rank], cancel)));
                if (_waiting.Count == 0)
                {
                    return;
                }

                int[] ended = [.. _waiting.Keys.Where(rank => state.Servers[rank].Process?.IsAlive() != true).Order()];
                if (ended.Length > 0 || Stopwatch.GetElapsedTime(begin) > limit)
                {
                    late();
                    throw new TestbedException(ended.Length > 0 ? Ended(ended) : Late(limit));
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
    }

    private async Task AskAsync(int rank, ServerProbe probe, CancellationToken cancel)
    {
        if (await probe.WhyNotReadyAsync(cancel) is { } why)
        {
            _waiting[rank] = why;
        }
        else
        {
            _waiting.Remove(rank);
        }
    }

    private string Ended(int[] ranks)
    {
        string last = LastLine(ranks[0]);
        return $"{Count(ranks.Length)} of {state.Servers.Count} ended: {Names(ranks, rank => state.Servers[rank].Coordinate)}. " +
            $"The output of {state.Servers[ranks[0]].Coordinate} ends: {(last.Length > 0 ? last : "(nothing)")} {Logs()}";
    }

    private string Late(TimeSpan limit)
    {
        int[] ranks = [.. _waiting.Keys.Order()];
        string time = string.Create(CultureInfo.InvariantCulture, $"{Math.Max(limit.TotalSeconds, 0):F0}");
        return $"{Count(ranks.Length)} of {state.Servers.Count} not ready after {time} s: " +
            $"{Names(ranks, rank => $"{state.Servers[rank].Coordinate} ({_waiting[rank]})")}. {Logs()}";
    }

    private static string Count(int servers) => servers == 1 ? "1 server" : $"{servers} servers";

    private static string Names(int[] ranks, Func<int, string> name) =>
        string.Join(", ", ranks.Take(MostNamed).Select(name)) + (ranks.Length > MostNamed ? $", and {ranks.Length - MostNamed} more" : "");

    private string Logs() => $"Logs: {TestbedStore.FolderOf(state.Plan.Name)}/*.log; the testbed stays until 'camcube testbed down'.";

    private string LastLine(int rank)
    {
        string log = TestbedStore.LogOf(state.Plan, state.Plan.Torus().At(rank));
        return File.Exists(log) ? File.ReadLines(log).LastOrDefault(line => line.Trim().Length > 0) ?? "" : "";
    }
}
