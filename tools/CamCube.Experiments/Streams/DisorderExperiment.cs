using CamCube.Faults;
using CamCube.Messaging;

namespace CamCube.Experiments.Streams;

/// <summary>One stream over one path of links that disturb order.</summary>
internal static class DisorderExperiment
{
    private const double Part = 0.2;

    /// <summary>What a stream can fill at most.</summary>
    public static double Possible(Disorder disorder, int hops) =>
        disorder == Disorder.Doubled ? Math.Pow(1 + Part, 1 - hops) : 1;

    /// <summary>Part of a link that a stream fills, and how many pieces of it were wrong.</summary>
    /// <param name="disorder">What the links do, to acknowledgements too.</param>
    /// <param name="hops">Links between the two.</param>
    /// <param name="seed">Of what the links draw.</param>
    /// <param name="time">What counts, after 100 ms.</param>
    /// <param name="tick">Called while time passes.</param>
    public static (double Share, long Wrong) Run(
        Disorder disorder,
        int hops,
        ulong seed,
        TimeSpan time,
        Action? tick = null
    )
    {
        using var cube = new StreamCube(new TorusShape(5, 5, 5), seed, tick: tick);
        cube.Cube.LinkFaults.Add(
            disorder switch
            {
                Disorder.HeldBack => new PacketReordering(Part, TimeSpan.FromMilliseconds(1)),
                Disorder.Jitter => new PacketDelay(TimeSpan.Zero, TimeSpan.FromMilliseconds(0.5)),
                _ => new PacketDuplication(Part),
            },
            cube.OfStreams
        );
        Coordinate to = StreamCube.AtHops(hops);
        cube[default].Write(to, new StreamParameters { Paths = StreamPaths.One });
        double share = cube.Measure(to, 1, TimeSpan.FromMilliseconds(100), time)[0];
        return (share, cube[to].ReadingOf(0)!.Wrong);
    }
}
