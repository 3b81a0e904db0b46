using System.Buffers;
using System.ComponentModel.DataAnnotations;
using CamCube.Messaging;
using CamCube.Services.Cache.Wire;
using CamCube.Simulator.Settings;

namespace CamCube.Services.Cache.Tests.Cubes;

public sealed class RobustnessTests
{
    private static readonly Coordinate A = new(0, 0, 0),
        B = new(1, 0, 0);

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void No_packet_makes_the_cache_throw_or_give_a_wrong_value(int seed)
    {
        using var cube = new CacheCube(2, 1, 1);
        string key = cube.KeyAt(B);
        cube.Set(A, key, "good");
        var random = new Random(seed);
        IServer server = cube.Cube[A].ServerOf<CacheService>();
        ulong[] runs = [0, cube[A].Channel.Run, cube[B].Channel.Run, 7];
        for (int i = 0; i < 20_000; i++)
        {
            byte[] body = CacheCube.Value(random.Next(random.Next(4) == 0 ? 500 : 100), i);
            if (!server.Packets.TryRent(body.Length, out Packet? packet))
            {
                break;
            }

            packet.Header<CacheHeader>() = new CacheHeader
            {
                Message = new MessageHeader
                {
                    Run = runs[random.Next(4)],
                    Sequence = (uint)random.Next(16),
                    Length = (uint)(random.Next(4) == 0 ? random.Next(1 << 20) : body.Length),
                    PieceLength = (ushort)(random.Next(4) == 0 ? random.Next(1 << 16) : body.Length),
                    Piece = (ushort)random.Next(2),
                    Kind = (MessageKind)(random.Next(4) == 0 ? random.Next(8) : 1),
                },
                MemId = random.Next(2) == 0 ? Key.OfName(key) : Key.OfName($"{i}"),
                Question = (ulong)random.NextInt64(),
                Kind = (byte)random.Next(12),
                Code = (byte)random.Next(14),
                KeyLength = (byte)random.Next(1 << random.Next(9)),
                Attempt = (byte)random.Next(3),
            };
            body.CopyTo(packet.WritableBody());
            Destination to = random.Next(3) switch
            {
                0 => A,
                1 => B,
                _ => Key.OfName(key),
            };
            server.Send(packet, to);
            if (i % 50 == 0)
            {
                Assert.True(cube.Get(A, key) is null or "good");
            }
        }

        // A flush among the noise may be one for later; a new one replaces it, unless its stamp lies in the future.
        cube.Cube.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal(CacheStatus.Done, cube.Set(A, key, "again"));
        Assert.Equal("again", cube.Get(A, key));
        Assert.Empty(cube.Cube.Faults);
        cube.AssertQuiet();
    }

    [Fact]
    public void A_cube_that_boots_by_flooding_serves_soon()
    {
        using var cube = new CacheCube(3, 3, 3, simulator: new SimulatorOptions { ColdStart = true });
        Assert.Null(cube.Get(A, "early"));
        Assert.Equal(CacheStatus.Done, cube.Set(A, "early", "v"));
        Assert.Equal("v", cube.Get(B, "early"));
        cube.Cube.AwaitUntil(() => Enumerable.Range(0, 27).All(r => cube.Cube[r].Topology.HasKeys));
        Assert.InRange(cube.Cube.NowNanos, 0, 2_000_000_000);
        for (int rank = 0; rank < 27; rank++)
        {
            string key = cube.KeyAt(cube.Cube.Shape.At(rank));
            Assert.Equal(CacheStatus.Done, cube.Set(A, key, "v"));
            Assert.Equal("v", cube.Get(B, key));
        }

        cube.AssertQuiet();
    }

    [Fact]
    public void A_writer_that_throws_harms_nobody_else()
    {
        using var cube = new CacheCube(2, 1, 1);
        foreach (Coordinate home in new[] { A, B })
        {
            string key = cube.KeyAt(home);
            cube.Set(A, key, "value");
            CacheReply reply = cube.Cube.Await(cube.Start(A, CacheOperation.Get, key, into: new BrokenWriter()));
            Assert.Equal(CacheStatus.Unavailable, reply.Status);
            Assert.Equal("value", cube.Get(A, key));
        }

        cube.AssertQuiet();
    }

    [Fact]
    public void After_a_fault_the_cache_of_that_server_begins_anew_and_knows_of_flushes_to_come()
    {
        using var cube = new CacheCube(2, 1, 1);
        string key = cube.KeyAt(B),
            other = cube.KeyAt(A);
        ulong cas = cube.Run(A, CacheOperation.Set, key, "before").Cas;
        cube.Set(A, other, "kept");
        cube.Cube.Await(cube[A].FlushAllAsync(30));
        ulong run = cube[B].Channel.Run;
        cube.Cube[B].ServerOf<CacheService>().Loop.Post(static _ => throw new InvalidOperationException("test"), null);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(500));
        Assert.Single(cube.Cube.Faults);
        Assert.Null(cube.Get(A, key));
        Assert.NotEqual(run, cube[B].Channel.Run);
        Assert.Equal("kept", cube.Get(B, other));
        Assert.NotEqual(cas, cube.Run(A, CacheOperation.Set, key, "after").Cas);
        Assert.Equal("after", cube.Get(A, key));
        cube.Cube.Advance(TimeSpan.FromSeconds(30));
        Assert.Null(cube.Get(A, key));
        Assert.Null(cube.Get(A, other));
    }

    [Fact]
    public void Calls_that_run_when_the_server_stops_end()
    {
        using var cube = new CacheCube(2, 1, 1);
        cube.Cube.Lose = (_, _, p) => p.Service.Value == 0x0110;
        Task<CacheReply> get = cube.Start(A, CacheOperation.Get, cube.KeyAt(B)).AsTask();
        Task<CacheReply> set = cube.Start(A, CacheOperation.Set, cube.KeyAt(B), new byte[100_000]).AsTask();
        Task<CacheReply> flush = cube[A].FlushAllAsync(0).AsTask();
        cube.Cube.Advance(TimeSpan.FromMilliseconds(10));
        cube.Cube.Kill(A);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.True(get.IsCompleted && set.IsCompleted && flush.IsCompleted);
        cube.AssertQuiet();
    }

    [Theory]
    [InlineData(0, "MemoryLimit")]
    [InlineData(1, "MaxValueLength")]
    [InlineData(2, "Timeout")]
    [InlineData(3, "Attempts")]
    [InlineData(4, "AssemblyMemory")]
    [InlineData(5, "MaxValueLength")]
    public void Settings_that_make_no_sense_are_named(int wrong, string name)
    {
        CacheOptions options = wrong switch
        {
            0 => new CacheOptions { MemoryLimit = 5 },
            1 => new CacheOptions { MaxValueLength = -1 },
            2 => new CacheOptions { Timeout = TimeSpan.Zero },
            3 => new CacheOptions { Attempts = 0 },
            4 => new CacheOptions { AssemblyMemory = 1 << 20 },
            _ => new CacheOptions { MaxValueLength = 60 << 20, AssemblyMemory = 1 << 30 },
        };
        var results = new List<ValidationResult>();
        Assert.False(
            Validator.TryValidateObject(options, new ValidationContext(options), results, validateAllProperties: true)
        );
        Assert.Contains(
            results,
            r => r.MemberNames.Contains(name) && r.ErrorMessage!.Contains(name, StringComparison.Ordinal)
        );
        var good = new CacheOptions();
        Assert.True(Validator.TryValidateObject(good, new ValidationContext(good), null, validateAllProperties: true));
    }

    private sealed class BrokenWriter : IBufferWriter<byte>
    {
        public void Advance(int count) { }

        public Memory<byte> GetMemory(int sizeHint = 0) => throw new InvalidOperationException("closed");

        public Span<byte> GetSpan(int sizeHint = 0) => throw new InvalidOperationException("closed");
    }
}
