using FsCheck;
using FsCheck.Fluent;

namespace CamCube.Topology.Tests;

public sealed class CubeViewTests
{
    private static readonly Config Runs = Config.QuickThrowOnFailure.WithMaxTest(150);

    [Fact]
    public void Answers_after_random_damage_are_those_of_the_naive_model() =>
        Check.One(Runs, Prop.ForAll(ArbMap.Default.ArbFor<int>(), seed => CompareWithModel(seed, 5)));

    [Fact]
    public void Answers_after_random_damage_are_those_of_the_naive_model_on_8x8x8()
    {
        for (int seed = 0; seed < 4; seed++)
        {
            CompareWithModel(seed, 8, new TorusShape(8, 8, 8));
        }
    }

    [Fact]
    public void Few_failures_are_handled_without_tables_and_still_give_the_shortest_links()
    {
        var shape = new TorusShape(6, 5, 4);
        for (int rank = 0; rank < 10; rank++)
        {
            var naive = new NaiveCube(shape);
            for (var link = Link.XPlus; link < Link.Local; link++)
            {
                naive[shape.RankOf(shape.Step(shape.At(rank), link))] &= (byte)~(1 << (int)link.Opposite());
            }

            Compare(naive, naive.ToView(new Random(rank), CubeView.Whole(shape)), new Random(rank));
        }
    }

    [Fact]
    public void Views_that_were_learned_in_another_order_are_equal_and_one_object_in_a_cache()
    {
        for (int seed = 0; seed < 50; seed++)
        {
            var random = new Random(seed);
            var naive = new NaiveCube(Shapes.Random(random, 4));
            naive.Damage(random);
            CubeView start = random.Next(2) == 0 ? CubeView.Whole(naive.Shape) : CubeView.Empty(naive.Shape);
            CubeView a = naive.ToView(new Random(1), start),
                b = naive.ToView(new Random(2), start);
            Assert.Equal(a.Digest, b.Digest);
            Assert.True(a.HasSameContent(b));
            Assert.Equal(a.Entries.ToArray(), b.Entries.ToArray());

            var cache = new CubeViewCache();
            CubeView once = cache.With(start, a.Entries);
            CubeView twice = start;
            foreach (CubeEntry entry in b.Entries)
            {
                twice = cache.With(twice, entry);
            }

            Assert.Equal(once.Digest, twice.Digest);
            Assert.True(ReferenceEquals(once, twice) || b.Entries.Length > 64 || b.Entries.Length == 0);
        }
    }

    [Fact]
    public void Entries_are_in_rank_order_one_per_server_and_only_newer_ones_count()
    {
        var shape = new TorusShape(3, 3, 3);
        CubeView whole = CubeView.Whole(shape);
        CubeEntry late = new(new(2, 2, 2), 5, 2, 0x41),
            early = new(new(0, 1, 0), 9, 1, 0x3F);
        CubeView view = whole.With(late).With(early);
        Assert.Equal([early, late], view.Entries.ToArray());
        Assert.Same(view, view.With(late with { Sequence = 1, Bits = 0 }));
        Assert.Same(view, view.With(late with { Incarnation = 4, Sequence = 100, Bits = 0 }));
        Assert.Equal(0, view.With(late with { Incarnation = 6, Sequence = 1, Bits = 0 }).EntryOf(late.Server).Bits);
        Assert.Equal(late, view.EntryOf(late.Server));
        Assert.Equal(new CubeEntry(new(1, 1, 1), 0, 0, 0x7F), view.EntryOf(new(1, 1, 1)));
        Assert.Equal(0, CubeView.Empty(shape).EntryOf(new(1, 1, 1)).Bits);
    }

    [Fact]
    public void Entries_that_do_not_fit_are_refused()
    {
        CubeView view = CubeView.Whole(new TorusShape(3, 1, 2, parallelCables: false));
        Assert.Throws<ArgumentException>(() => view.With(new CubeEntry(new(3, 0, 0), 1, 1, 0)));
        Assert.Throws<ArgumentException>(() => view.With(new CubeEntry(new(0, 0, 0), 1, 0, 0)));
        Assert.Throws<ArgumentException>(() => view.With(new CubeEntry(new(0, 0, 0), 1, 1, 0x04)));
        Assert.Throws<ArgumentException>(() => view.With(new CubeEntry(new(0, 0, 0), 1, 1, 0x20)));
        Assert.Throws<ArgumentException>(() => view.With(new CubeEntry(new(0, 0, 0), 1, 1, 0x80)));
        Assert.Equal(0x53, view.With(new CubeEntry(new(0, 0, 0), 1, 1, 0x53)).EntryOf(default).Bits);
    }

    [Fact]
    public void A_view_becomes_commissioned_without_forgetting_what_it_knows()
    {
        var shape = new TorusShape(3, 3, 3);
        CubeEntry entry = new(new(1, 0, 0), 5, 1, 0x01);
        CubeView left = CubeView.Empty(shape).With(entry).Commissioned();
        CubeView right = CubeView.Whole(shape).With(entry);
        Assert.Equal(right.Digest, left.Digest);
        Assert.Equal(27, left.ReachableCount(default));
        Assert.Equal(right.NextHops(default, new Coordinate(1, 0, 0)), left.NextHops(default, new Coordinate(1, 0, 0)));
        Assert.Same(left, left.Commissioned());
        Assert.NotEqual(CubeView.Empty(shape).Digest, CubeView.Whole(shape).Digest);
        Assert.NotEqual(CubeView.Whole(shape).Digest, CubeView.Whole(new TorusShape(3, 3, 4)).Digest);
    }

    [Theory]
    [InlineData(2, 1, 0, true)]
    [InlineData(2, 1, 1, false)]
    [InlineData(4, 2, 0, true)]
    [InlineData(4, 2, 3, false)]
    [InlineData(5, 2, 0, false)]
    [InlineData(5, 2, 4, true)]
    [InlineData(1, 0, 0, true)]
    public void Half_with_rank_0_or_more_than_half_is_the_majority(int size, int cutAt, int observer, bool expected)
    {
        // A chain 0 … cutAt−1 | cutAt … size−1: the ring's wrap-around cable is cut as well.
        var shape = new TorusShape(size, 1, 1, parallelCables: false);
        CubeView view = CubeView.Whole(shape);
        if (size > 1)
        {
            foreach (int end in (int[])[cutAt - 1, size - 1])
            {
                CubeEntry entry = view.EntryOf(new((ushort)end, 0, 0));
                view = view.With(entry with { Sequence = entry.Sequence + 1, Bits = (byte)(entry.Bits & ~1) });
            }
        }

        Assert.Equal(expected, view.HasMajority(new((ushort)observer, 0, 0)));
    }

    [Fact]
    public void Lost_and_returned_servers_are_named_in_rank_order_as_seen_from_a_server()
    {
        var shape = new TorusShape(5, 5, 5);
        for (int seed = 0; seed < 60; seed++)
        {
            var random = new Random(seed);
            NaiveCube before = new(shape),
                after = new(shape);
            before.Damage(random);
            after.Damage(random);
            CubeView a = before.ToView(random, CubeView.Whole(shape)),
                b = after.ToView(random, CubeView.Whole(shape));
            int from = random.Next(shape.Count);
            bool[] liveBefore = before.LiveFrom(from),
                liveAfter = after.LiveFrom(from);
            var lost = new List<int>();
            var returned = new List<int>();
            foreach (Coordinate server in b.LostSince(a, shape.At(from)))
            {
                lost.Add(shape.RankOf(server));
            }

            foreach (Coordinate server in b.ReturnedSince(a, shape.At(from)))
            {
                returned.Add(shape.RankOf(server));
            }

            var gone = new List<int>();
            foreach (Coordinate server in b.UnreachableSince(a, shape.At(from)))
            {
                gone.Add(shape.RankOf(server));
            }

            Assert.Equal(
                Enumerable
                    .Range(0, shape.Count)
                    .Where(r =>
                        !liveBefore[r]
                        && a.IsReachable(shape.At(from), shape.At(r))
                        && !b.IsReachable(shape.At(from), shape.At(r))
                    ),
                gone
            );
            Assert.Equal(Enumerable.Range(0, shape.Count).Where(r => liveBefore[r] && !liveAfter[r]), lost);
            Assert.Equal(Enumerable.Range(0, shape.Count).Where(r => !liveBefore[r] && liveAfter[r]), returned);
            Assert.Equal(lost.Count == 0, b.LostSince(a, shape.At(from)).IsEmpty);
        }
    }

    [Fact]
    public void A_large_cube_answers_at_once_without_failures_and_needs_few_tables_after_one()
    {
        var shape = new TorusShape(20, 20, 20);
        CubeView view = CubeView.Whole(shape);
        Coordinate dead = new(3, 4, 5);
        for (var link = Link.XPlus; link < Link.Local; link++)
        {
            Coordinate neighbour = shape.Step(dead, link);
            view = view.With(new CubeEntry(neighbour, 1, 1, (byte)(0x7F & ~(1 << (int)link.Opposite()))));
        }

        long before = GC.GetAllocatedBytesForCurrentThread();
        long hops = 0;
        int unreached = 0;
        for (int to = 0; to < shape.Count; to++)
        {
            hops += view.HopsTo(default, shape.At(to));
            unreached += view.NextHops(default, shape.At(to)).IsEmpty ? 1 : 0;
        }

        // A table for each destination would be 64 MB; about 60 of 8,000 bytes, and the components, are needed.
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 1_000_000);
        Assert.True(hops > 8_000 * 14);
        Assert.Equal(1, unreached);
        Assert.Equal(7_999, view.ReachableCount(default));
    }

    [Fact]
    public void Queries_allocate_nothing_once_warm()
    {
        var shape = new TorusShape(4, 4, 4);
        var random = new Random(1);
        var naive = new NaiveCube(shape);
        naive.Damage(random);
        CubeView view = naive.ToView(random, CubeView.Whole(shape));
        Coordinate[] servers = new Coordinate[3];
        Allocations.AssertNone(() => Ask(view, shape, servers));
    }

    private static int Ask(CubeView view, TorusShape shape, Coordinate[] servers)
    {
        int sum = 0;
        for (int from = 0; from < shape.Count; from++)
        {
            for (int to = 0; to < shape.Count; to++)
            {
                ulong route = ((Destination)shape.At(to)).Route | (uint)(from * 31);
                sum +=
                    view.NextHops(shape.At(from), shape.At(to)).Bits
                    + view.HopsTo(shape.At(from), shape.At(to))
                    + view.RootOf(route, shape.At(from)).X
                    + view.GetServersForKey(route, shape.At(from), servers);
            }

            sum += view.ReachableCount(shape.At(from)) + (view.HasMajority(shape.At(from)) ? 1 : 0);
            foreach (Coordinate lost in view.LostSince(view, shape.At(from)))
            {
                sum += lost.X;
            }
        }

        return sum;
    }

    private static void CompareWithModel(int seed, int largest, TorusShape? shape = null)
    {
        var random = new Random(seed);
        var naive = new NaiveCube(shape ?? Shapes.Random(random, largest));
        naive.Damage(random);
        CubeView start = random.Next(2) == 0 ? CubeView.Whole(naive.Shape) : CubeView.Empty(naive.Shape);
        Compare(naive, naive.ToView(random, start), random);
    }

    private static void Compare(NaiveCube naive, CubeView view, Random random)
    {
        TorusShape shape = naive.Shape;
        int step = shape.Count > 100 ? 17 : 1;
        for (int to = 0; to < shape.Count; to += step)
        {
            int[] distances = naive.DistancesTo(to);
            int reached = distances.Count(d => d >= 0);
            Assert.Equal(reached, view.ReachableCount(shape.At(to)));
            Assert.Equal(
                2 * reached > shape.Count || (2 * reached == shape.Count && distances[0] >= 0),
                view.HasMajority(shape.At(to))
            );
            for (int from = 0; from < shape.Count; from++)
            {
                Assert.Equal(distances[from], view.HopsTo(shape.At(from), shape.At(to)));
                Assert.Equal(distances[from] >= 0, view.IsReachable(shape.At(from), shape.At(to)));
                Assert.Equal(naive.NextHops(from, to, distances), view.NextHops(shape.At(from), shape.At(to)));
            }
        }

        for (int i = 0; i < 20; i++)
        {
            ulong route = (ulong)random.NextInt64();
            int from = random.Next(shape.Count),
                wanted = random.Next(1, 6);
            List<Coordinate> expected = naive.ServersFor(route, from);
            var servers = new Coordinate[wanted];
            int found = view.GetServersForKey(route, shape.At(from), servers);
            Assert.Equal(expected.Take(wanted), servers.Take(found));
            Coordinate root = view.RootOf(route, shape.At(from));
            Assert.Equal(expected[0], root);
            Assert.True(view.IsLive(shape.At(from), root));
            Destination key = new Key(route, 0, 0);
            Assert.Equal(view.NextHops(shape.At(from), root), view.NextHops(shape.At(from), key));
            Assert.Equal(view.HopsTo(shape.At(from), root), view.HopsTo(shape.At(from), key));

            // Whoever is reachable sees the same root: servers with equal views route a key to one place.
            int other = random.Next(shape.Count);
            if (view.IsReachable(shape.At(from), shape.At(other)))
            {
                Assert.Equal(root, view.RootOf(route, shape.At(other)));
            }
        }
    }
}
