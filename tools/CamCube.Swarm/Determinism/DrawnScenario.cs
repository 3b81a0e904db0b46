using CamCube.Faults;
using CamCube.Simulator;
using CamCube.Simulator.Settings;

namespace CamCube.Swarm.Determinism;

/// <summary>
/// A cube and what happens to it, drawn from a seed: shape, cables, and acts from outside at drawn times. Drawn before
/// the run, so that nothing in the run can change it.
/// </summary>
public sealed class DrawnScenario
{
    private const int Acts = 40;
    private readonly List<(long At, Action<SimulatedCube> Act)> _acts = [];
    private readonly ScenarioDraws _draws;
    private readonly long _end;

    /// <summary>Draws a scenario.</summary>
    /// <param name="seed">Seed.</param>
    /// <param name="shape">Axis sizes, or null: 6 to 32 servers.</param>
    /// <param name="durationNanos">Virtual time.</param>
    public DrawnScenario(ulong seed, TorusShape? shape, long durationNanos)
    {
        (_draws, _end) = (new ScenarioDraws(seed), durationNanos);
        TorusShape drawn;
        do
        {
            drawn = new TorusShape(_draws.From(1, 4), _draws.From(1, 4), _draws.From(1, 4));
        } while (drawn.Count is < 6 or > 32);

        Shape = shape ?? drawn;
        Detection = TimeSpan.FromMilliseconds(_draws.From(2, 6));
        Options = new SimulatorOptions
        {
            Seed = seed,

            // Long cables: threads meet seldom, so that two are cheap on a busy machine too.
            LinkDelayNanos = _draws.From(20_000, 60_000),
            MaxFrameLength = _draws.Below(2) == 0 ? 1_514 : 9_014,
            ColdStart = _draws.Below(4) == 0,
        };
        for (int i = 0; i < Acts; i++)
        {
            Draw(_draws.TimeBefore(durationNanos));
        }

        // Stable, so acts at one time keep the order in which they were drawn.
        _acts = [.. _acts.OrderBy(act => act.At)];
    }

    /// <summary>Axis sizes.</summary>
    public TorusShape Shape { get; }

    /// <summary>Cables and seed.</summary>
    public SimulatorOptions Options { get; }

    /// <summary>When a silent neighbour is suspected.</summary>
    public TimeSpan Detection { get; }

    /// <summary>Acts from outside, in order.</summary>
    public IReadOnlyList<(long At, Action<SimulatedCube> Act)> InOrder => _acts;

    /// <summary>The server whose service may be made non-deterministic; its power never fails.</summary>
    public int PlantRank => Shape.Count / 2;

    /// <summary>The cache operations that acts start.</summary>
    public CacheOperations Cache { get; } = new();

    private void Draw(long at)
    {
        int rank = _draws.Below(Shape.Count);
        var link = (Link)_draws.Below(Links.Cables);
        long until = at + _draws.TimeBefore(_end / 3);
        switch (_draws.Below(12))
        {
            case 0 when rank != PlantRank:
                Add(at, cube => cube.Kill(rank));
                Add(until, cube => cube.Revive(rank));
                break;
            case 1:
                Add(at, cube => cube.Cut(rank, link));
                Add(until, cube => cube.Mend(rank, link));
                break;
            case 2:
                var pause = TimeSpan.FromMicroseconds(_draws.From(1, 2_000));
                Add(
                    at,
                    cube =>
                    {
                        if (cube.IsRunning(rank))
                        {
                            cube.Pause(rank, pause);
                        }
                    }
                );
                break;
            case 3:
                (int ahead, int drift) = (_draws.From(-500, 500), _draws.From(-100_000, 100_000));
                Add(at, cube => cube.SetClock(rank, TimeSpan.FromMicroseconds(ahead), drift));
                break;
            case < 8:
                LinkFault fault = DrawFault();
                LinkScope scope = _draws.Below(3) switch
                {
                    0 => LinkScope.All,
                    1 => LinkScope.Server(Shape.At(rank)),
                    _ => LinkScope.Cable(Shape.At(rank), link),
                };
                IDisposable? rule = null;
                Add(at, cube => rule = cube.LinkFaults.Add(fault, scope));
                Add(until, _ => rule?.Dispose());
                break;
            default:
                for (int i = _draws.From(1, 12); i > 0; i--)
                {
                    (int client, int kind, int key) = (_draws.Below(Shape.Count), _draws.Below(6), _draws.Below(40));
                    Add(at, cube => Cache.Start(cube, client, kind, key));
                }

                break;
        }
    }

    private LinkFault DrawFault()
    {
        double probability = _draws.From(1, 100) / 1_000.0;
        var time = TimeSpan.FromMicroseconds(_draws.From(1, 500));
        return _draws.Below(7) switch
        {
            0 => new PacketLoss(probability),
            1 => new PacketCorruption(probability),
            2 => new PacketDuplication(probability),
            3 => new PacketDelay(time, time / 2),
            4 => new PacketReordering(probability, time),
            5 => new LinkRateLimit(_draws.From(50, 500) * 1_000_000L),
            _ => new LinkFlapping(time * 10, 0.7),
        };
    }

    private void Add(long at, Action<SimulatedCube> act)
    {
        if (at < _end)
        {
            _acts.Add((at, act));
        }
    }
}
