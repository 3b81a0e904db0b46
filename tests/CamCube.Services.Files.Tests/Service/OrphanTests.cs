using static CamCube.Services.Files.FileStatus;

namespace CamCube.Services.Files.Tests.Service;

/// <summary>Chunks whose writer has died.</summary>
public sealed class OrphanTests
{
    private const int Chunk = 64 << 10;

    [Fact]
    public void Chunks_of_who_died_go_after_a_time_and_those_of_files_never()
    {
        using var cube = new FilesCube(
            3,
            3,
            1,
            new FilesOptions
            {
                ChunkBytes = Chunk,
                OrphanAge = TimeSpan.FromMinutes(1),
                SweepEvery = TimeSpan.FromSeconds(10),
            }
        );
        byte[] bytes = FilesCube.BytesOf(1, 5 * Chunk);
        Assert.Equal(Done, cube.Put(0, "/stays", bytes).Status);
        Task<FileAnswer>[] puts =
        [
            .. Enumerable.Range(0, 2).Select(i => cube.StartPut(8, $"/dies/{i}", FilesCube.BytesOf(i, 50 * Chunk))),
        ];
        cube.Cube.AwaitUntil(() => cube[8].Counters.Written.Value > 40 * Chunk);
        Assert.DoesNotContain(puts, static put => put.IsCompleted);
        cube.Cube.Kill(cube.Cube.Shape.At(8));
        cube.Cube.AwaitConverged();
        cube.Cube.Advance(TimeSpan.FromSeconds(50));
        Assert.True(cube.Chunks(0) > 30);

        // Whoever looks after them is another one now: it begins anew.
        int sweeper = Enumerable.Range(0, 8).First(rank => cube[rank].Orphans > 0);
        cube.Cube.Kill(cube.Cube.Shape.At(sweeper));
        cube.Cube.AwaitConverged();
        int asked = sweeper == 0 ? 1 : 0;
        cube.Cube.Advance(TimeSpan.FromSeconds(50));
        Assert.True(cube.Chunks(asked) > 30);
        cube.Cube.Advance(TimeSpan.FromSeconds(40));
        Assert.Equal(5, cube.Chunks(asked));
        Assert.Equal(bytes, cube.Get(asked, "/stays").Bytes);
        cube.AssertQuiet();
    }

    [Fact]
    public void A_file_that_takes_longer_than_half_of_that_is_refused_and_leaves_nothing()
    {
        using var cube = new FilesCube(
            3,
            1,
            1,
            new FilesOptions { ChunkBytes = Chunk, OrphanAge = TimeSpan.FromMinutes(1) }
        );
        (FileStatus slow, FileStatus quick) = (Slow(cube, "/slow", 31), Slow(cube, "/quick", 29));
        Assert.Equal((TooSlow, Done), (slow, quick));
        cube.AssertQuiet();
        Assert.Equal((2, NotFound), (cube.Chunks(0), cube.Find(1, "/slow").Status));
    }

    private static FileStatus Slow(FilesCube cube, string path, int seconds)
    {
        IServer server = cube.Cube.Cube.ServerOf<FilesService>(0);
        return cube.Run(
            0,
            async s =>
            {
                using IFileWriter writer = s.OpenWrite(path);
                Assert.Equal(Done, await writer.WriteAsync(FilesCube.BytesOf(seconds, 2 * Chunk)));
                await server.DelayAsync(TimeSpan.FromSeconds(seconds));
                return (await writer.CommitAsync()).Status;
            }
        );
    }
}
