using System.Buffers.Binary;
using System.Security.Cryptography;

namespace CamCube.Topology.Tests;

public sealed class ReplicaSequencesTests
{
    [Theory]
    [InlineData("3x3x3"), InlineData("4x4x4"), InlineData("5x5x5"), InlineData("8x8x8"), InlineData("16x16x16")]
    [InlineData("3x4x5"), InlineData("2x3x4"), InlineData("2x2x2"), InlineData("2x2x5"), InlineData("1x3x4")]
    [InlineData("1x5x5"), InlineData("1x2x2"), InlineData("1x1x6"), InlineData("1x1x1")]
    [InlineData("6x1x1"), InlineData("3x1x2")]
    public void Each_sequence_is_the_walk_of_the_paper_and_visits_every_server_once(string text)
    {
        TorusShape shape = Shapes.Parse(text);
        ReplicaSequences sequences = ReplicaSequences.For(shape);
        for (int i = 0; i < ReplicaSequences.Count; i++)
        {
            List<Coordinate> naive = NaiveCube.NaiveSequence(shape, i);
            ReadOnlySpan<ushort> offsets = sequences.Offsets(i);
            Assert.Equal(shape.Count, offsets.Length);
            for (int place = 0; place < offsets.Length; place++)
            {
                Assert.Equal(naive[place], shape.At(offsets[place]));
            }
        }
    }

    // Rows of the table in algorithms.md §1: distinct sequences, split of the first successor over the servers it can
    // be, sequence index of the first server that is more than one hop from the home.
    [Theory]
    [InlineData("3x3x3", 48, "8 8 8 8 8 8", 5)]
    [InlineData("4x4x4", 48, "8 8 8 8 8 8", 4)]
    [InlineData("5x5x5", 48, "8 8 8 8 8 8", 4)]
    [InlineData("8x8x8", 48, "8 8 8 8 8 8", 4)]
    [InlineData("16x16x16", 48, "8 8 8 8 8 8", 4)]
    [InlineData("3x4x5", 48, "8 8 8 8 8 8", 4)]
    [InlineData("2x3x4", 24, "16 8 8 8 8", 4)]
    [InlineData("2x2x2", 6, "16 16 16", 4)]
    [InlineData("2x2x5", 12, "16 16 8 8", 4)]
    [InlineData("1x3x4", 8, "12 12 12 12", 3)]
    [InlineData("1x5x5", 8, "12 12 12 12", 3)]
    [InlineData("1x2x2", 2, "24 24", 3)]
    [InlineData("1x1x6", 2, "24 24", 2)]
    [InlineData("1x1x1", 1, "", -1)]
    public void The_table_of_the_algorithms_holds(string text, int distinct, string firstSuccessors, int firstFar)
    {
        TorusShape shape = Shapes.Parse(text);
        ReplicaSequences sequences = ReplicaSequences.For(shape);
        var texts = new HashSet<string>();
        var split = new SortedDictionary<int, int>();
        int earliestFar = int.MaxValue,
            nearSecond = 0;
        for (int i = 0; i < ReplicaSequences.Count; i++)
        {
            ushort[] offsets = sequences.Offsets(i).ToArray();
            texts.Add(string.Join(' ', offsets));
            if (offsets.Length == 1)
            {
                continue;
            }

            split[offsets[1]] = split.GetValueOrDefault(offsets[1]) + 1;
            int far = Array.FindIndex(offsets, o => shape.Distance(default, shape.At(o)) > 1);
            earliestFar = far < 0 ? earliestFar : Math.Min(earliestFar, far);
            nearSecond +=
                offsets.Length > 2
                && shape.Distance(default, shape.At(offsets[1])) == 1
                && shape.Distance(default, shape.At(offsets[2])) == 1
                    ? 1
                    : 0;
        }

        Assert.Equal(distinct, texts.Count);
        Assert.Equal(firstSuccessors, string.Join(' ', split.Values.OrderDescending()));
        Assert.Equal(firstFar, earliestFar == int.MaxValue ? -1 : earliestFar);
        Assert.Equal(shape.Count == 1 || text == "1x1x6" ? 0 : 48, nearSecond);
    }

    [Fact]
    public void The_two_dimensional_example_of_the_paper_is_sequence_0_facet_plus_plus_order_xy()
    {
        var shape = new TorusShape(5, 5, 1);
        ReplicaSequences sequences = ReplicaSequences.For(shape);
        Coordinate home = new(2, 2, 0);
        Coordinate[] first = [.. sequences.Offsets(0)[..5].ToArray().Select(o => sequences.ServerAt(home, o))];
        Assert.Equal([new(2, 2, 0), new(3, 2, 0), new(2, 3, 0), new(4, 2, 0), new(3, 3, 0)], first);
    }

    [Theory]
    [InlineData(0, 1, 0, 0)]
    [InlineData(2, 0, 1, 0)]
    [InlineData(5, 0, 0, 1)]
    [InlineData(6, 7, 0, 0)]
    [InlineData(14, 0, 7, 0)]
    [InlineData(29, 0, 0, 7)]
    [InlineData(47, 0, 0, 7)]
    [InlineData(44, 0, 7, 0)]
    public void Facet_bits_and_orders_lie_where_the_wire_contract_says(int sequence, int x, int y, int z)
    {
        ReplicaSequences sequences = ReplicaSequences.For(new TorusShape(8, 8, 8));
        Assert.Equal(
            new Coordinate((ushort)x, (ushort)y, (ushort)z),
            sequences.ServerAt(default, sequences.Offsets(sequence)[1])
        );
    }

    [Fact]
    public void Equal_sequences_are_one_array_and_shapes_share_them()
    {
        var ring = new TorusShape(1, 1, 6);
        ReplicaSequences sequences = ReplicaSequences.For(ring);
        Assert.Same(sequences, ReplicaSequences.For(ring with { ParallelCables = false }));
        Assert.True(sequences.Offsets(0) == sequences.Offsets(3));
        Assert.False(sequences.Offsets(0) == sequences.Offsets(47));
    }

    [Fact]
    public void Keys_of_a_dead_server_go_to_its_six_neighbours_in_equal_parts()
    {
        var shape = new TorusShape(3, 3, 3);
        CubeView view = CubeView.Whole(shape);
        Coordinate dead = new(1, 1, 1),
            observer = new(0, 0, 0);
        view = view.With(new CubeEntry(dead, 1, 1, 0));
        var counts = new SortedDictionary<int, int>();
        Span<byte> number = stackalloc byte[8];
        Span<byte> hash = stackalloc byte[20];
        int mine = 0;
        for (long i = 0; i < 1_000_000; i++)
        {
            BinaryPrimitives.WriteInt64LittleEndian(number, i);
            SHA1.HashData(number, hash);
            var key = Key.FromBytes(hash);
            if (key.HomeIn(shape) == dead)
            {
                mine++;
                int root = shape.RankOf(view.RootOf(key.Route, observer));
                counts[root] = counts.GetValueOrDefault(root) + 1;
            }
        }

        Assert.InRange(mine, 1_000_000 / 27 * 0.97, 1_000_000 / 27 * 1.03);
        Assert.Equal(6, counts.Count);
        foreach ((int root, int count) in counts)
        {
            Assert.Equal(1, shape.Distance(dead, shape.At(root)));
            Assert.InRange(count, mine / 6.0 * 0.97, mine / 6.0 * 1.03);
        }
    }
}
