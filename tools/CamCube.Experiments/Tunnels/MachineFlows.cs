namespace CamCube.Experiments.Tunnels;

/// <summary>Flows between the machines of a cube, each as fast as its window lets it.</summary>
internal sealed class MachineFlows
{
    private const double NanosPerSecond = 1e9;

    // Windows are looked at each time that a link carries so much.
    private const double StepBits = 100_000;
    private readonly MachineCube _cube;
    private readonly MachineFlow[] _flows;
    private readonly MachineFlow[][] _byReceiver;
    private readonly int _length;
    private readonly TimeSpan _step;

    /// <summary>Flows that have sent nothing yet.</summary>
    /// <param name="cube">The cube.</param>
    /// <param name="pairs">From where to where, by rank.</param>
    /// <param name="length">Bytes of a datagram, without headers.</param>
    public MachineFlows(MachineCube cube, IEnumerable<(int From, int To)> pairs, int length)
    {
        (_cube, _length) = (cube, length);
        _step = TimeSpan.FromSeconds(StepBits / cube.LinkBitsPerSecond);
        (int From, int To)[] all = [.. pairs];
        _flows =
        [
            .. all.Select(pair => new MachineFlow(
                cube,
                cube.Shape.At(pair.From),
                cube.Shape.At(pair.To),
                (ushort)pair.From,
                length
            )),
        ];
        var byReceiver = _flows.Zip(all).GroupBy(static one => one.Second.To).ToArray();
        _byReceiver = [.. byReceiver.Select(static group => group.Select(static one => one.First).ToArray())];
        foreach (var group in byReceiver)
        {
            Dictionary<ushort, MachineFlow> here = group.ToDictionary(
                static one => one.First.Flow,
                static one => one.First
            );
            cube.CardOf(cube.Shape.At(group.Key)).Received = frame =>
                here[MachineFrame.Read4(frame).Flow].Receive(frame);
        }
    }

    /// <summary>All servers send to all others.</summary>
    public static IEnumerable<(int From, int To)> AllToAll(int servers) =>
        Enumerable
            .Range(0, servers)
            .SelectMany(from => Enumerable.Range(0, servers).Where(to => to != from).Select(to => (from, to)));

    /// <summary>Sends for a while, and then for a while that counts.</summary>
    public FlowsResult Run(TimeSpan warm, TimeSpan measured)
    {
        Send(warm);
        (int Came, int Lost)[] before = [.. _byReceiver.Select(Sum)];
        int early = OutOfOrder();
        long carried = _cube.Carried;
        Send(measured);
        (int Came, int Lost)[] after = [.. _byReceiver.Select(Sum)];
        double whole = measured.TotalSeconds * _cube.LinkBitsPerSecond;
        int came = after.Sum(static one => one.Came) - before.Sum(static one => one.Came);
        return new FlowsResult(
            [.. after.Zip(before, (a, b) => (a.Came - b.Came) * _length * 8.0 / whole).Order()],
            came,
            after.Sum(static one => one.Lost) - before.Sum(static one => one.Lost),
            OutOfOrder() - early,
            (double)(_cube.Carried - carried) / came / _cube.FrameBytes
        );
    }

    private static (int Came, int Lost) Sum(MachineFlow[] flows) =>
        (flows.Sum(static one => one.Counts.Came), flows.Sum(static one => one.Counts.Lost));

    private int OutOfOrder() => _flows.Sum(static flow => flow.OutOfOrder);

    private void Send(TimeSpan time)
    {
        long end = _cube.NowNanos + (long)(time.TotalSeconds * NanosPerSecond);
        while (_cube.NowNanos < end)
        {
            foreach (MachineFlow flow in _flows)
            {
                flow.Send();
            }

            _cube.Advance(_step);
        }
    }
}
