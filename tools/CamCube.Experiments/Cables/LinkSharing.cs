using System.Globalization;
using CamCube.Experiments.Figures;

namespace CamCube.Experiments.Cables;

/// <summary>
/// Services with different weights and packets of different lengths that want more of one shaped link than there is
/// (HPDC §3.3). Counted is what arrives at the other server.
/// </summary>
internal sealed class LinkSharing : IDisposable
{
    private static readonly (string Assembly, string Service, int Header, int Size, int Weight)[] Services =
    [
        ("diagnostics", "diagnostics", PacketSizes.DiagnosticsHeader, 8_000, 1),
        ("workloads", "second-load", 0, 1_448, 1),
        ("workloads", "third-load", 0, 4_000, 2),
    ];

    private readonly MeasuredTestbed _testbed;

    /// <summary>Two servers and one cable.</summary>
    public LinkSharing(long rateBitsPerSecond, FigureRun run) =>
        _testbed = MeasuredTestbed.Start(
            new TorusShape(1, 1, 2) with
            {
                ParallelCables = false,
            },
            rateBitsPerSecond,
            run,
            [
                .. Services.SelectMany(s =>
                    (string[])
                        [
                            $"CamCube:Services:{s.Service}:Assembly={s.Assembly}",
                            string.Create(
                                CultureInfo.InvariantCulture,
                                $"CamCube:Services:{s.Service}:Queue:Weight={s.Weight}"
                            ),
                        ]
                ),
            ]
        );

    /// <summary>How many services there are to measure with.</summary>
    public static int Most => Services.Length;

    /// <summary>Lets the first so many services send at once.</summary>
    public IReadOnlyList<ServiceShare> Measure(int services, TimeSpan settle, TimeSpan time)
    {
        var senders = Services[..services];
        foreach (var sender in senders)
        {
            _testbed.Tell(0, sender.Service, $"load?size={sender.Size}&for=600s");
        }

        _testbed.Sleep(settle);
        ServerRates arrived = _testbed.Measure(time)[1];
        foreach (var sender in senders)
        {
            _testbed.Tell(0, sender.Service, "load?for=0s");
        }

        _testbed.Sleep(settle);
        double[] bytes =
        [
            .. senders.Select(s => (double)arrived.Arrived[s.Service] * (PacketSizes.Overhead + s.Header + s.Size)),
        ];
        return
        [
            .. senders.Select(
                (s, i) =>
                    new ServiceShare(
                        $"{services} services",
                        s.Service,
                        s.Weight,
                        (double)s.Weight / senders.Sum(other => other.Weight),
                        bytes[i] / bytes.Sum()
                    )
            ),
        ];
    }

    /// <inheritdoc/>
    public void Dispose() => _testbed.Dispose();
}
