using System.Buffers.Binary;
using System.Globalization;
using CamCube.Testbed;

namespace CamCube.Chaos.Jobs;

/// <summary>Does one fault to a testbed in which a job runs, and ends it again. One task.</summary>
/// <param name="control">The testbed; nobody else holds it.</param>
/// <param name="input">Where the job's input is.</param>
/// <param name="roots">Ranks of the servers of its reduces.</param>
internal sealed class JobTormentor(TestbedControl control, JobInput input, IReadOnlyList<int> roots)
{
    private readonly TestbedDisks _disks = new(control.State.Plan);
    private readonly TorusShape _shape = control.Shape;
    private Action? _end;

    /// <summary>Servers that have ended by themselves.</summary>
    public IEnumerable<string> Ended() =>
        control.State.Servers.Where(static one => one.Process?.IsAlive() != true).Select(static one => one.Coordinate);

    /// <summary>Does it. Answers what it is, in words.</summary>
    /// <param name="fault">The fault.</param>
    /// <param name="job">The job's name.</param>
    public string Begin(JobFault fault, string job)
    {
        int rank = RankOf(fault, job);
        string server = control.State.Servers[rank].Coordinate,
            what = fault.Kind switch
            {
                JobFaultKind.KillTracker => $"kill {server}, which leads the job",
                JobFaultKind.KillRoot => $"kill {server}, which has a reduce",
                JobFaultKind.KillMapper => $"kill {server}, which has input",
                JobFaultKind.KillRelay => $"kill {server}, which passes pairs on",
                JobFaultKind.Stop => $"stop {server}",
                JobFaultKind.Fill => $"fill the disk of {server}",
                _ => $"cut a cable of {server}",
            };
        switch (fault.Kind)
        {
            case JobFaultKind.Stop:
                control.Signal(rank, ProcessSignals.Stop);
                _end = () => control.Signal(rank, ProcessSignals.Continue);
                break;
            case JobFaultKind.Fill:
                _disks.Fill(rank);
                _end = () => _disks.Empty(rank);
                break;
            case JobFaultKind.Cut:
                Link link = LinkOf(rank, fault.Pick);
                what = $"cut {server}:{link.Name()} ({fault.How})";
                control.Cut(rank, link, fault.How);
                _end = () => control.Mend(rank, link);
                break;
            default:
                control.Signal(rank, ProcessSignals.Kill);
                _end = () => control.Start(rank);
                break;
        }

        return string.Create(CultureInfo.InvariantCulture, $"{what}, for {fault.Time.TotalSeconds:0.0} s");
    }

    /// <summary>Ends it, if that has not been done.</summary>
    public void End()
    {
        Action? end = _end;
        _end = null;
        end?.Invoke();
    }

    // Of those that it may hit. All of them are drawn anew for each fault, so that none is spared.
    private int RankOf(JobFault fault, string job)
    {
        int[] all = [.. Enumerable.Range(0, _shape.Count)];
        int[] may = fault.Kind switch
        {
            JobFaultKind.KillTracker => [TrackerOf(job)],
            JobFaultKind.KillRoot or JobFaultKind.Cut or JobFaultKind.Fill => [.. roots],
            JobFaultKind.KillMapper => [.. input.Homes.Except(roots)],
            JobFaultKind.KillRelay => [.. all.Except(input.Homes).Except(roots)],
            _ => all,
        };
        return may[fault.Pick % may.Length];
    }

    // The home of the job's number as a key; its name is job_MILLISECONDS_NUMBER.
    private int TrackerOf(string job)
    {
        string[] parts = job.Split('_');
        ulong number =
            (ulong.Parse(parts[1], CultureInfo.InvariantCulture) * 10_000)
            + ulong.Parse(parts[2], CultureInfo.InvariantCulture);
        Span<byte> bytes = stackalloc byte[8];
        BinaryPrimitives.WriteUInt64LittleEndian(bytes, number);
        return _shape.RankOf(Key.OfBytes(bytes).HomeIn(_shape));
    }

    private Link LinkOf(int rank, int pick)
    {
        List<Link> links = [];
        foreach (Link link in _shape.CabledLinks(_shape.At(rank)))
        {
            links.Add(link);
        }

        return links[pick / 7 % links.Count];
    }
}
