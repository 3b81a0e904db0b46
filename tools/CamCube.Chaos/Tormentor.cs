using System.Diagnostics;
using System.Globalization;
using CamCube.Chaos.Settings;
using CamCube.Testbed;

namespace CamCube.Chaos;

/// <summary>
/// Does faults to a testbed and ends them again. A data folder is deleted only when all groups have all their copies,
/// so that none ever loses two of them to us. One task.
/// </summary>
/// <param name="control">The testbed; nobody else holds it.</param>
/// <param name="options">The run.</param>
/// <param name="whyNotWhole">Says why not all groups have all copies; null: they have.</param>
/// <param name="progress">Gets a line per fault.</param>
internal sealed class Tormentor(
    TestbedControl control,
    ChaosOptions options,
    Func<CancellationToken, Task<string?>> whyNotWhole,
    Action<string> progress
)
{
    private const int FlapsPerSecond = 2;
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(500);

    private readonly TestbedDisks _disks = new(control.State.Plan);
    private readonly FaultDraw _draw = new(control.Shape, options.Pace, options.Seed);
    private readonly PriorityQueue<(Action Do, string What), TimeSpan> _ends = new();
    private readonly HashSet<int> _down = [];
    private readonly HashSet<int> _full = [];
    private readonly HashSet<(int Rank, Link Link)> _cut = [];
    private readonly Dictionary<FaultKind, int> _done = [];
    private readonly long _began = Stopwatch.GetTimestamp();

    // For copies: while that is so there are no faults, and it is no part of the time for which there are to be some.
    private TimeSpan _waited;

    /// <summary>Faults that were done, by kind.</summary>
    public IReadOnlyDictionary<FaultKind, int> Done => _done;

    /// <summary>Faults for as long as the run is, and then the end of all that are left.</summary>
    public async Task RunAsync(CancellationToken cancel)
    {
        for (Fault fault = _draw.Next(); fault.At < options.Time; fault = _draw.Next())
        {
            await EndUntilAsync(_waited + fault.At, cancel).ConfigureAwait(false);
            if (Ended().FirstOrDefault() is { } ended)
            {
                // What is asked of it has come to its end; what the others answered counts.
                Say($"server {ended} has ended by itself: no more faults");
                EndAll();
                return;
            }

            if (fault.Kind == FaultKind.Wipe)
            {
                await WipeAsync(fault, cancel).ConfigureAwait(false);
            }
            else
            {
                Begin(fault);
            }
        }

        await EndUntilAsync(_waited + options.Time, cancel).ConfigureAwait(false);
        EndAll();
    }

    /// <summary>Servers that have ended by themselves.</summary>
    public IEnumerable<string> Ended() =>
        control
            .State.Servers.Where((server, rank) => !_down.Contains(rank) && server.Process?.IsAlive() != true)
            .Select(server => server.Coordinate);

    private TimeSpan Now => Stopwatch.GetElapsedTime(_began);

    private async Task EndUntilAsync(TimeSpan at, CancellationToken cancel)
    {
        while (Now < at)
        {
            while (_ends.TryPeek(out _, out TimeSpan due) && due <= Now)
            {
                End();
            }

            // The clock is looked at once: what is over by one to two milliseconds would be waited for without end.
            TimeSpan next = _ends.TryPeek(out _, out TimeSpan first) && first < at ? first : at,
                wait = next - Now;
            if (wait > TimeSpan.Zero)
            {
                await Task.Delay(wait, cancel).ConfigureAwait(false);
            }
        }
    }

    private void EndAll()
    {
        while (_ends.Count > 0)
        {
            End();
        }
    }

    private void End()
    {
        (Action end, string what) = _ends.Dequeue();
        Say(what);
        end();
    }

    private void Begin(Fault fault)
    {
        int rank = fault.Rank;
        string server = control.State.Servers[rank].Coordinate,
            seconds = string.Create(CultureInfo.InvariantCulture, $"{fault.Time.TotalSeconds:0.0} s");
        switch (fault.Kind)
        {
            case FaultKind.Kill when CanGo(rank):
                Count(fault, $"kill {server} for {seconds}");
                Kill(rank);
                Later(fault.Time, $"start {server}", () => Start(rank));
                break;
            case FaultKind.Stop when CanGo(rank):
                Count(fault, $"stop {server} for {seconds}");
                _down.Add(rank);
                control.Signal(rank, ProcessSignals.Stop);
                Later(fault.Time, $"go on {server}", () => GoOn(rank));
                break;
            case FaultKind.Cut when Take(rank, fault.Link):
                Count(fault, $"cut {server}:{fault.Link.Name()} ({fault.How}) for {seconds}");
                control.Cut(rank, fault.Link, fault.How);
                Later(fault.Time, $"mend {server}:{fault.Link.Name()}", () => Mend(rank, fault.Link));
                break;
            case FaultKind.Flap when Take(rank, fault.Link):
                Count(fault, $"flap {server}:{fault.Link.Name()} for {seconds}");
                Flap(rank, fault.Link, (int)(fault.Time.TotalSeconds * FlapsPerSecond));
                break;
            case FaultKind.Fill when _full.Add(rank):
                Count(fault, $"fill {server} for {seconds}");
                _disks.Fill(rank);
                Later(fault.Time, $"room for {server}", () => Empty(rank));
                break;
        }
    }

    private async Task WipeAsync(Fault fault, CancellationToken cancel)
    {
        EndAll();
        string? why;
        TimeSpan began = Now,
            patience = began + options.SettleTime;
        while ((why = await whyNotWhole(cancel).ConfigureAwait(false)) is not null && Now < patience && !Ended().Any())
        {
            await Task.Delay(Look, cancel).ConfigureAwait(false);
        }

        _waited += Now - began;
        int rank = fault.Rank;
        string server = control.State.Servers[rank].Coordinate;
        if (why is not null)
        {
            Say($"data of {server} not deleted: {why}");
            return;
        }

        Count(fault, $"kill {server} and delete its data");
        Kill(rank);
        Directory.Delete(
            Path.Combine(
                TestbedStore.StateFolderOf(control.State.Plan, control.Shape.At(rank)),
                ChaosTestbed.DataFolder
            ),
            recursive: true
        );
        Later(fault.Time, $"start {server}", () => Start(rank));
    }

    private bool CanGo(int rank) => _down.Count < options.MostDown && !_down.Contains(rank);

    private bool Take(int rank, Link link)
    {
        int other = control.Shape.RankOf(control.Shape.Step(control.Shape.At(rank), link));
        return !_cut.Contains((other, link.Opposite())) && _cut.Add((rank, link));
    }

    private void Kill(int rank)
    {
        _down.Add(rank);
        control.Signal(rank, ProcessSignals.Kill);
    }

    private void Start(int rank)
    {
        control.Start(rank);
        _down.Remove(rank);
    }

    private void GoOn(int rank)
    {
        control.Signal(rank, ProcessSignals.Continue);
        _down.Remove(rank);
    }

    private void Mend(int rank, Link link)
    {
        control.Mend(rank, link);
        _cut.Remove((rank, link));
    }

    private void Empty(int rank)
    {
        _disks.Empty(rank);
        _full.Remove(rank);
    }

    // Cut and mended by turns; it is taken until the last one.
    private void Flap(int rank, Link link, int left)
    {
        TimeSpan half = TimeSpan.FromSeconds(0.5 / FlapsPerSecond);
        control.Cut(rank, link, CutKind.Pulled);
        Quietly(
            half,
            () =>
            {
                control.Mend(rank, link);
                if (left > 1)
                {
                    Quietly(half, () => Flap(rank, link, left - 1));
                }
                else
                {
                    _cut.Remove((rank, link));
                }
            }
        );
    }

    private void Quietly(TimeSpan time, Action end) => _ends.Enqueue((end, ""), Now + time);

    private void Later(TimeSpan time, string what, Action end) => _ends.Enqueue((end, what), Now + time);

    private void Count(Fault fault, string what)
    {
        _done[fault.Kind] = _done.GetValueOrDefault(fault.Kind) + 1;
        Say(what);
    }

    private void Say(string what)
    {
        if (what.Length > 0)
        {
            progress(string.Create(CultureInfo.InvariantCulture, $"{Now.TotalSeconds, 7:0.0} s  {what}"));
        }
    }
}
