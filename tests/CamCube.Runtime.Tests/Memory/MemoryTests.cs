using CamCube.Runtime.Cubes;
using CamCube.Runtime.Memory;
using CamCube.Testing;

namespace CamCube.Runtime.Tests.Memory;

/// <summary>Claims of services on their server's budget, and chunks.</summary>
[Collection(nameof(Alone))]
public sealed class MemoryTests
{
    private const long Mib = 1 << 20;

    [Fact]
    public void Claims_of_all_services_of_a_server_share_its_limit_and_each_has_its_own()
    {
        using var cube = new Pair(new MemoryOptions { ServerLimit = 10 * Mib, ServiceLimit = 7 * Mib });
        IServerMemory one = cube.One.Memory,
            other = cube.Other.Memory,
            elsewhere = cube.Elsewhere.Memory;
        Assert.Equal((7 * Mib, 7 * Mib), (one.Limit, one.Room));
        Assert.True(one.TryClaim("receive", 6 * Mib, out IMemoryClaim? claim));
        Assert.False(one.TryClaim("send", (1 * Mib) + 1, out IMemoryClaim? refused));
        Assert.Null(refused);
        Assert.Equal(4 * Mib, other.Room);
        Assert.False(other.TryClaim("log", (4 * Mib) + 1, out _));
        Assert.True(other.TryClaim("log", 4 * Mib, out IMemoryClaim? log));
        Assert.False(claim.TryGrow(1));
        Assert.False(one.TryClaim("send", 1, out _));

        // In virtual time no server takes from another.
        Assert.True(elsewhere.TryClaim("receive", 7 * Mib, out _));
        log.Shrink(3 * Mib);
        Assert.True(claim.TryGrow(1 * Mib));
        Assert.Equal((7 * Mib, 0L), (one.Claimed, one.Room));
        claim.Release();
        Assert.Equal((0L, 7 * Mib, 0L), (one.Claimed, one.Room, claim.Bytes));
        Assert.False(claim.TryGrow(1));
        Assert.False(claim.TryRentChunk(out _));
    }

    [Fact]
    public void A_budget_of_0_refuses_every_claim()
    {
        foreach (MemoryOptions none in (MemoryOptions[])[new() { ServerLimit = 0 }, new() { ServiceLimit = 0 }])
        {
            using var cube = new Pair(none);
            Assert.Equal((0L, 0L), (cube.One.Memory.Limit, cube.One.Memory.Room));
            Assert.False(cube.One.Memory.TryClaim("a", 0, out _));
            Assert.False(cube.One.Memory.TryClaim("a", 1, out _));
        }
    }

    [Fact]
    public void Servers_in_virtual_time_have_the_same_limit_on_every_machine()
    {
        using var cube = new Pair(new MemoryOptions { ProcessLimit = 5 });
        Assert.Equal(1L << 30, cube.One.Memory.Limit);
    }

    [Fact]
    public void The_status_names_claims_and_limits()
    {
        using var cube = new Pair(new MemoryOptions { ServerLimit = 10 * Mib });
        Assert.True(cube.One.Memory.TryClaim("receive", Mib, out IMemoryClaim? claim));
        Assert.True(cube.Other.Memory.TryClaim("log", 2 * Mib, out _));
        claim.TryRentChunk(out _);
        ServerStatus status = cube.Test[0].Status;
        Assert.Equal(new MemoryStatus(3 * Mib, 10 * Mib), status.Memory);
        ServiceStatus one = status.Services.Single(s => s.Id.Value == 0x0300);
        Assert.Equal(new MemoryStatus(Mib, 10 * Mib), one.Memory);
        Assert.Equal([new ClaimStatus("receive", Mib, Chunk.Size)], one.Claims);
    }

    [Fact]
    public void Chunks_are_within_the_claim_and_come_back()
    {
        using var cube = new Pair(new MemoryOptions());
        Assert.True(cube.One.Memory.TryClaim("receive", (200 * Chunk.Size) + 4_095, out IMemoryClaim? claim));
        var chunks = new List<Chunk>();
        while (claim.TryRentChunk(out Chunk chunk))
        {
            chunk.Span.Fill((byte)chunks.Count);
            chunks.Add(chunk);
        }

        Assert.Equal((200, 200L * Chunk.Size), (chunks.Count, claim.InChunks));
        Assert.Equal(200, chunks.Distinct().Count());
        for (int i = 0; i < 200; i++)
        {
            Assert.False(chunks[i].Span.ContainsAnyExcept((byte)i));
            Assert.Equal(Chunk.Size, chunks[i].Memory.Length);
        }

        Assert.Throws<OwnershipException>(() => claim.Shrink(4_096));
        Assert.Contains(
            "200 chunks",
            Assert.Throws<OwnershipException>(claim.Release).Message,
            StringComparison.Ordinal
        );
        chunks.ForEach(claim.Return);
        Assert.Equal(0, claim.InChunks);
        claim.Release();
    }

    [Fact]
    public void A_chunk_that_was_returned_is_refused_and_named()
    {
        using var cube = new Pair(new MemoryOptions());
        Assert.True(cube.One.Memory.TryClaim("receive", Mib, out IMemoryClaim? claim));
        Assert.True(cube.One.Memory.TryClaim("send", Mib, out IMemoryClaim? other));
        Assert.True(claim.TryRentChunk(out Chunk chunk));
        Assert.Throws<OwnershipException>(() => other.Return(chunk));
        claim.Return(chunk);
        Assert.True(claim.TryRentChunk(out Chunk again));
        Assert.NotEqual(chunk, again);
        foreach (Action use in (Action[])[() => chunk.Span.Clear(), () => _ = chunk.Memory, () => claim.Return(chunk)])
        {
            string message = Assert.Throws<OwnershipException>(use).Message;
            Assert.Contains("claim 'receive' of scripted-0300 on server 0,0,0", message, StringComparison.Ordinal);
        }

        Assert.Throws<OwnershipException>(() => claim.Return(default));
#if DEBUG
        Memory<byte> kept = again.Memory;
        claim.Return(again);
        kept.Span[17] = 1;
        string written = Assert.Throws<OwnershipException>(() => other.TryRentChunk(out _)).Message;
        Assert.Contains("claim 'receive' of scripted-0300 on server 0,0,0", written, StringComparison.Ordinal);
        Assert.True(other.TryRentChunk(out _));
#endif
    }

    [Fact]
    public void All_of_an_instance_that_ends_is_taken_back_but_for_what_is_pinned()
    {
        using var cube = new Pair(new MemoryOptions { ServerLimit = 2 * Mib });
        IServer first = cube.One;
        Assert.True(first.Memory.TryClaim("receive", 2 * Mib, out IMemoryClaim? claim));
        Assert.True(claim.TryRentChunk(out Chunk plain));
        Assert.True(claim.TryRentChunk(out Chunk pinned));
        pinned.Span.Fill(7);
        Memory<byte> bytes = pinned.Memory;
        System.Buffers.MemoryHandle pin = bytes.Pin();
        Assert.Throws<OwnershipException>(() => claim.Return(pinned));
        first.Loop.Post(static _ => throw new InvalidDataException("planned"), null);
        cube.Test.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Single(cube.Test.Faults);
        Assert.Equal((0L, 0L, false), (claim.Bytes, claim.InChunks, first.Memory.TryClaim("late", 1, out _)));
        Assert.Throws<OwnershipException>(() => plain.Span.Clear());
        Assert.Throws<OwnershipException>(() => pinned.Span.Clear());

        // Until the pin ends nobody else gets it, and it is counted.
        Assert.Equal(Chunk.Size, cube.Test[0].Status.Memory.Used);
        cube.Test.Advance(TimeSpan.FromSeconds(3));
        Assert.NotSame(first, cube.One);
        Assert.False(cube.One.Memory.TryClaim("receive", 2 * Mib, out _));
        Assert.True(cube.One.Memory.TryClaim("receive", Mib, out claim));
        while (claim.TryRentChunk(out Chunk chunk))
        {
            chunk.Span.Clear();
        }

        Assert.False(bytes.Span.ContainsAnyExcept((byte)7));
        var elsewhere = new Thread(() => pin.Dispose());
        elsewhere.Start();
        Assert.True(elsewhere.Join(TimeSpan.FromSeconds(60)));
        Assert.Equal(Mib, cube.Test[0].Status.Memory.Used);
    }

    [Fact]
    public void Many_loops_rent_and_return_from_one_pool_and_no_two_have_one_chunk()
    {
        var pool = new ChunkPool();
        Exception?[] wrong = new Exception?[4];
        var threads = Enumerable
            .Range(0, 4)
            .Select(n => new Thread(() =>
            {
                try
                {
                    var cache = new ChunkCache(pool);
                    var mine = new List<PooledChunk>();
                    var random = new Random(n);
                    for (int i = 0; i < 20_000; i++)
                    {
                        // Waves, so that blocks go back to the system and come again.
                        if (mine.Count < (i / 1_000 % 2 == 0 ? 700 : 5) && random.Next(3) > 0)
                        {
                            PooledChunk chunk = cache.Rent();
                            BitConverter.TryWriteBytes(chunk.GetSpan(), (n << 24) + chunk.Number);
                            mine.Add(chunk);
                        }
                        else if (mine.Count > 0)
                        {
                            PooledChunk chunk = mine[^1];
                            mine.RemoveAt(mine.Count - 1);
                            Assert.Equal((n << 24) + chunk.Number, BitConverter.ToInt32(chunk.GetSpan()));
                            chunk.GetSpan().Fill(0xDD);
                            cache.Return(chunk);
                        }
                    }

                    foreach (PooledChunk chunk in mine)
                    {
                        Assert.Equal((n << 24) + chunk.Number, BitConverter.ToInt32(chunk.GetSpan()));
                        chunk.GetSpan().Fill(0xDD);
                        cache.Return(chunk);
                    }

                    cache.Flush();
                }
                catch (Exception e)
                {
                    wrong[n] = e;
                }
            }))
            .ToList();
        threads.ForEach(t => t.Start());
        threads.ForEach(t => Assert.True(t.Join(TimeSpan.FromSeconds(60))));
        Assert.All(wrong, Assert.Null);
        Assert.Equal(0, pool.Out);
        Assert.InRange(pool.Bytes, 0, 17 * ChunkBlock.Bytes);
    }

    [Fact]
    public void Chunks_allocate_nothing()
    {
        using var cube = new Pair(new MemoryOptions());
        Assert.True(cube.One.Memory.TryClaim("receive", 1_000 * Chunk.Size, out IMemoryClaim? claim));
        var chunks = new Chunk[1_000];
        Wave();
        Wave();
        long before = GC.GetAllocatedBytesForCurrentThread();
        Wave();
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);

        void Wave()
        {
            for (int i = 0; i < chunks.Length; i++)
            {
                claim.TryRentChunk(out chunks[i]);
                chunks[i].Memory.Span[0] = 1;
                chunks[i].Memory.Pin().Dispose();
            }

            foreach (Chunk chunk in chunks)
            {
                claim.Return(chunk);
            }
        }
    }

    /// <summary>Two servers with two services each.</summary>
    private sealed class Pair : IDisposable
    {
        private readonly Script _one = new();
        private readonly Script _other = new();

        public Pair(MemoryOptions memory)
        {
            Test = new TestCube(2, 1, 1, server: new ServerOptions { Memory = memory })
                .Add(_one.Define())
                .Add(_other.Define(0x0301));
            _ = Test.Cube;
        }

        public TestCube Test { get; }

        public IServer One => _one[0].Server;

        public IServer Other => _other[0].Server;

        public IServer Elsewhere => _one[1].Server;

        public void Dispose() => Test.Dispose();
    }
}
