using System.Buffers.Binary;
using CamCube.Experiments.Figures;
using CamCube.Experiments.Plots;
using CamCube.Experiments.Throughput;
using CamCube.Runtime.Core;
using CamCube.Topology;

namespace CamCube.Experiments.Catalog;

/// <summary>
/// HPDC §3.2: when a server fails, its keys go evenly to its neighbours. Counted exactly in the table of 48 sequences,
/// then on SHA-1 keys, each of which loses its home, and last in a running cube that loses a server.
/// </summary>
public sealed class KeySpaceBalance : IFigure
{
    private const double Near = 0.03;
    private const int Million = 1_000_000;

    /// <inheritdoc/>
    public string Name => "keyspace-balance";

    /// <inheritdoc/>
    public string Title => "Shares of a failed server's keys that its neighbours take over";

    /// <inheritdoc/>
    public string Paper => "HPDC'13 section 3.2";

    /// <inheritdoc/>
    public void Run(FigureRun run)
    {
        run.Table.SetColumns("shape", "direction", "sequences_of_48", "keys", "share", "even_share");
        int keys = run.ByScale(60_000, Million, Million);
        TorusShape[] shapes = [new(8, 8, 8), new(1, 8, 8)];
        for (int i = 0; i < shapes.Length; i++)
        {
            int number = i;
            Tell(
                run,
                shapes[i],
                CountKeys(
                    shapes[i],
                    keys,
                    run.Options.Seed,
                    part => run.Report((number + part) / 3, $"{shapes[number]}, {keys} keys")
                )
            );
        }

        FailedServerKeys live = FailedServerKeys.Run(
            new TorusShape(4, 4, 4),
            run.ByScale(60_000, Million, Million),
            run.Options.Seed,
            run.Options.DetectionTime ?? new LivenessOptions().DetectionTime,
            part => run.Report((2 + part) / 3, "a cube that loses a server")
        );
        run.Check("keys of a lost server, wrongly placed", live.Wrong, Limit.Exactly(0), "keys", 0, 0);
        run.Show("keys of that server, asked of 63 others", live.Asked, "keys", null, live.Keys / 64.0);
    }

    private static void Tell(FigureRun run, TorusShape shape, long[] keys)
    {
        Link[] directions = [.. shape.CabledLinks(default)];
        int[] sequences = CountSequences(shape);
        double even = 1.0 / directions.Length;
        string axes = directions.Length == 6 ? "3D" : "2D";
        Plot plot = run.Add(
            new Plot(
                $"{axes}: {shape}",
                new PlotAxis("neighbour that takes over") { Names = [.. directions.Select(link => link.Name())] },
                new PlotAxis("share of the keys", "%") { Least = 0 }
            )
        );
        Series measured = plot.Add($"measured, {keys.Sum():N0} SHA-1 keys", SeriesKind.Bars);
        Series paper = plot.Add($"paper: 1/{directions.Length} each", SeriesKind.Marks, SeriesRole.Paper);
        Series limit = plot.Add("3 % off", SeriesKind.Line, SeriesRole.Bound);
        double worst = 0,
            total = keys.Sum();
        for (int i = 0; i < directions.Length; i++)
        {
            Link link = directions[i];
            double share = keys[(int)link] / total;
            worst = Math.Max(worst, Math.Abs((share / even) - 1));
            measured.Add(i, 100 * share);
            paper.Add(i, 100 * even);
            run.Table.Add(shape.ToString(), link.Name(), sequences[(int)link], keys[(int)link], share, even);
        }

        limit.Add(-0.5, 100 * even * (1 + Near));
        limit.Add(directions.Length - 0.5, 100 * even * (1 + Near));
        int exact = 48 / directions.Length;
        run.Check(
            $"{axes}: sequences per neighbour, fewest",
            directions.Min(link => sequences[(int)link]),
            Limit.Exactly(exact),
            "of 48",
            exact,
            exact
        );
        run.Check(
            $"{axes}: sequences per neighbour, most",
            directions.Max(link => sequences[(int)link]),
            Limit.Exactly(exact),
            "of 48",
            exact,
            exact
        );
        if (total >= Million)
        {
            run.Check(
                $"{axes}: share of a neighbour, farthest from even",
                100 * worst,
                Limit.AtMost(100 * Near),
                "%",
                0,
                0
            );
        }
        else
        {
            run.NotMade($"{axes}: share of a neighbour, farthest from even", Limit.AtMost(100 * Near), "%", 0, 0);
        }
    }

    // Who comes second in each of the 48 sequences, as the direction from the home.
    private static int[] CountSequences(TorusShape shape)
    {
        var sequences = ReplicaSequences.For(shape);
        var counts = new int[Links.Cables];
        for (int i = 0; i < ReplicaSequences.Count; i++)
        {
            counts[(int)DirectionTo(shape, default, sequences.ServerAt(default, sequences.Offsets(i)[1]))]++;
        }

        return counts;
    }

    // Every key loses its home, whichever that is: all servers are alike.
    private static long[] CountKeys(TorusShape shape, int keys, ulong seed, Action<double> progress)
    {
        var view = CubeView.Whole(shape);
        var counts = new long[Links.Cables];
        Span<byte> name = stackalloc byte[16];
        Span<Coordinate> servers = stackalloc Coordinate[2];
        BinaryPrimitives.WriteUInt64LittleEndian(name, seed);
        for (int i = 0; i < keys; i++)
        {
            BinaryPrimitives.WriteInt64LittleEndian(name[8..], i);
            view.GetServersForKey(Key.OfBytes(name).Route, default, servers);
            counts[(int)DirectionTo(shape, servers[0], servers[1])]++;
            if (i % 10_000 == 0)
            {
                progress((double)i / keys);
            }
        }

        return counts;
    }

    private static Link DirectionTo(TorusShape shape, Coordinate from, Coordinate to)
    {
        foreach (Link link in shape.CabledLinks(from))
        {
            if (shape.Step(from, link) == to)
            {
                return link;
            }
        }

        throw new InvalidOperationException($"{to} is no neighbour of {from} in {shape}.");
    }
}
