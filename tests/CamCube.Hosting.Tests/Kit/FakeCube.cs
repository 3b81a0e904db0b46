using CamCube.Faults;
using CamCube.Hosting.Cubes;
using CamCube.Runtime.Cubes;
using CamCube.Runtime.Services;
using CamCube.Runtime.Watching;

namespace CamCube.Hosting.Tests.Kit;

/// <summary>A cube without servers that writes down what it is told, in one journal with whoever else writes there. Any
/// thread.</summary>
internal sealed class FakeCube(CubeRequest request, FakeCubeFactory factory) : ICube, IFaultyCube
{
    private readonly HashSet<int> _stopped = [];
    private readonly HashSet<(int Rank, Link Link)> _cut = [];

    public TorusShape Shape => request.Shape;

    public string Shim => factory.Name;

    public IReadOnlyList<int> LocalRanks { get; } =
        factory.RunsWholeCube
            ? [.. Enumerable.Range(0, request.Shape.Count)]
            : [request.Shape.RankOf(request.Coordinate!.Value)];

    public bool CanControl => factory.CanControl;

    public LinkFaultRules LinkFaults { get; } = new(request.Shape, 1);

    public CablingReport? Cabling => factory.Cabling;

    public Task Ended => factory.Ended.Task;

    public IServerGate GateOf(int rank) => new FakeGate(Shape, rank, factory.Journal);

    public async ValueTask StartAsync(CancellationToken cancel)
    {
        factory.Journal.Add("cube starts");
        if (factory.StartFailure is { } failure)
        {
            throw failure;
        }

        await factory.MayStart.WaitAsync(cancel);
        factory.Journal.Add("cube started");
    }

    public async ValueTask StopAsync(CancellationToken cancel)
    {
        factory.Journal.Add("cube stops");
        await factory.MayStop;
    }

    public LoopSight LookAtLoop(long nanos) => factory.Look(nanos);

    public ILoopAlarm? CreateAlarm(TimeSpan after) => factory.CreateAlarm(after);

    public void NudgeLoop() => factory.Journal.Add("the loop is nudged");

    public ValueTask StopServerAsync(int rank) => Note($"server {rank} stops", () => _stopped.Add(rank));

    public ValueTask StartServerAsync(int rank) => Note($"server {rank} starts", () => _stopped.Remove(rank));

    public ValueTask<CommandResult> StartServiceAsync(int rank, string service)
    {
        factory.Journal.Add($"service {service} of {rank} starts");
        return new(CommandResult.Done);
    }

    public async ValueTask<ReplaceResult> ReplaceServicesAsync(int rank, IReadOnlyList<ServiceDefinition> next)
    {
        await factory.MayReplace(rank);
        factory.Journal.Add($"services {string.Join(' ', next.Select(one => one.Name))} of {rank} are replaced");
        return _stopped.Contains(rank) ? ReplaceResult.Later : ReplaceResult.Done;
    }

    public ValueTask CutCableAsync(int rank, Link link) =>
        Note($"cable {rank} {link.Name()} is cut", () => _cut.Add((rank, link)));

    public ValueTask MendCableAsync(int rank, Link link) =>
        Note($"cable {rank} {link.Name()} is mended", () => _cut.Remove((rank, link)));

    public CubeStatus GetStatus() =>
        new(
            Shape,
            Shim,
            [.. LocalRanks.Select(Server)],
            [
                .. LocalRanks.SelectMany(rank =>
                    Enum.GetValues<Link>()
                        .Where(link =>
                            link != Link.Local && link.Sign() > 0 && Shape.CabledLinks(Shape.At(rank)).Contains(link)
                        )
                        .Select(link => new CableStatus(
                            rank,
                            link,
                            Neighbour(rank, link),
                            IsCut(rank, link) ? CableState.Cut : CableState.Up
                        ))
                ),
            ]
        );

    public async ValueTask DisposeAsync()
    {
        await factory.MayStop;
        factory.Journal.Add("cube disposed");
    }

    private int Neighbour(int rank, Link link) => Shape.RankOf(Shape.Step(Shape.At(rank), link));

    private bool IsCut(int rank, Link link) =>
        _cut.Contains((rank, link)) || _cut.Contains((Neighbour(rank, link), link.Opposite()));

    private ServerStatus Server(int rank) =>
        new(
            rank,
            Shape.At(rank),
            _stopped.Contains(rank) ? ServerState.Stopped : ServerState.Running,
            1_700_000_000_000_000,
            Shape.Count,
            7,
            3,
            4_096,
            [new LinkStatus(Link.XPlus, Shape.Step(Shape.At(rank), Link.XPlus), true, 10, 1_000, 20, 2_000)],
            [
                new ServiceStatus(
                    new ServiceId(0x7101),
                    "echo",
                    factory.ServiceState,
                    1,
                    2,
                    3,
                    4,
                    factory.Held,
                    5,
                    [
                        new CounterValue("hits", "{call}", null, 6),
                        new CounterValue("passed", "{packet}", Link.ZMinus, 7),
                        new CounterValue("heard", "{call}", null, 8) { Label = "endpoint", Of = "one" },
                    ]
                )
                {
                    Tagged = [("passed", "{packet}"), ("quiet", "By"), ("heard", "{call}")],
                    Commands = FakeGate.Commands(null),
                    CommandRuns = 11,
                    CommandFaults = 9,
                    LastFault = "Oops: it broke",
                    Unwell = factory.Unwell,
                },
            ],
            [new DropCount(DropReason.ReceiveFull, 8)]
        );

    private ValueTask Note(string what, Action act)
    {
        lock (_stopped)
        {
            act();
        }

        factory.Journal.Add(what);
        return ValueTask.CompletedTask;
    }
}
