using System.Security.Cryptography;
using static CamCube.Services.Files.FileStatus;

namespace CamCube.Services.Files.Tests.Service;

/// <summary>Files of all lengths through any server: whole, once, on the servers in turn, or not at all.</summary>
public sealed class StoringTests
{
    private const int Chunk = 64 << 10;

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(Chunk - 1)]
    [InlineData(Chunk)]
    [InlineData(Chunk + 1)]
    [InlineData((5 * Chunk) + 777)]
    public void A_file_of_any_length_is_read_at_every_server_whole_and_in_parts(int length)
    {
        using var cube = new FilesCube(3, 3, 1);
        byte[] bytes = FilesCube.BytesOf(length, length);
        FileAnswer made = cube.Put(0, "/a/b/file.bin", bytes, new FileCreation { MediaType = "x/y" }, 1 + (length / 3));
        Assert.Equal(Done, made.Status);
        int chunks = (length + Chunk - 1) / Chunk;
        for (int rank = 0; rank < 9; rank += 4)
        {
            FileEntry found = cube.Find(rank, "/a/b/file.bin").Entry!;
            Assert.Equal((length, "x/y", chunks), (found.Length, found.MediaType, found.Chunks));
            Assert.Equal(SHA256.HashData(bytes), found.Sha256.ToArray());
            Assert.Equal(made.Entry!.Version, found.Version);
            Assert.Equal(bytes, cube.Get(rank, "/a/b/file.bin").Bytes);
        }

        var random = new Random(length);
        for (int i = 0; i < 20; i++)
        {
            long from = random.NextInt64(length + 10L),
                count = i % 5 == 0 ? 0 : random.NextInt64(length + 10L);
            byte[] expected = [.. bytes.Skip((int)from).Take((int)count)];
            Assert.Equal(expected, cube.Get(i % 9, "/a/b/file.bin", from, count).Bytes);
        }

        Assert.Equal(chunks, cube.Chunks(3));
        cube.AssertQuiet();
    }

    [Fact]
    public void Chunks_lie_on_the_live_servers_in_turn_or_at_one()
    {
        using var cube = new FilesCube(3, 3, 1);
        byte[] bytes = FilesCube.BytesOf(1, 18 * Chunk);
        Assert.Equal(Done, cube.Put(0, "/turn", bytes).Status);
        Coordinate[] first = [.. Layout(cube, "/turn").Chunks.Select(static one => one.Servers[0])];
        Assert.Equal(9, first.Distinct().Count());
        Assert.Equal(first[..9], first[9..]);
        Assert.All(Layout(cube, "/turn").Chunks, static chunk => Assert.Equal(3, chunk.Servers.Count));

        Coordinate at = cube.Cube.Shape.At(5);
        Assert.Equal(Done, cube.Put(1, "/one", bytes, new FileCreation { At = at }).Status);
        Assert.All(Layout(cube, "/one").Chunks, chunk => Assert.Equal(at, chunk.Servers[0]));

        cube.Cube.Kill(at);
        cube.Cube.AwaitConverged();
        Assert.Equal(Done, cube.Put(0, "/less", bytes).Status);
        Assert.Equal(8, Layout(cube, "/less").Chunks.Select(static one => one.Servers[0]).Distinct().Count());
        Assert.Equal(bytes, cube.Get(2, "/one").Bytes);
        Assert.Equal(bytes, cube.Get(2, "/turn").Bytes);
        cube.AssertQuiet();
    }

    [Fact]
    public void A_file_is_written_once_and_the_same_bytes_again_change_nothing()
    {
        using var cube = new FilesCube(3, 1, 1);
        byte[] bytes = FilesCube.BytesOf(1, 3 * Chunk);
        FileAnswer made = cube.Put(0, "/file", bytes);
        FileAnswer again = cube.Put(1, "/file", bytes);
        Assert.Equal((Done, made.Entry!.Version), (again.Status, again.Entry!.Version));
        FileAnswer other = cube.Put(2, "/file", FilesCube.BytesOf(2, 3 * Chunk));
        Assert.Equal((Exists, made.Entry.Version), (other.Status, other.Entry!.Version));
        Assert.Equal(Exists, cube.Put(2, "/file", []).Status);
        Assert.Equal(bytes, cube.Get(2, "/file").Bytes);

        // Of those that came to nothing no chunk remains.
        cube.AssertQuiet();
        Assert.Equal(3, cube.Chunks(0));
        Assert.Equal((1, 1), (cube[0].Counters.Made.Value, cube[1].Counters.Unchanged.Value));

        Assert.Equal(Done, cube.Delete(1, "/file").Status);
        Assert.Equal(NotFound, cube.Delete(1, "/file").Status);
        Assert.Equal(0, cube.Chunks(0));
        FileAnswer anew = cube.Put(0, "/file", bytes);
        Assert.True(anew.Entry!.Version > made.Entry.Version);
    }

    [Fact]
    public void Of_a_crowd_that_writes_one_name_one_has_it_and_the_others_leave_nothing()
    {
        using var cube = new FilesCube(3, 3, 1);
        byte[][] files = [.. Enumerable.Range(0, 18).Select(i => FilesCube.BytesOf(i, (2 * Chunk) + i))];
        Task<FileAnswer>[] puts = [.. files.Select((bytes, i) => cube.StartPut(i % 9, "/new/crowd", bytes))];
        cube.Cube.AwaitUntil(() => puts.All(static p => p.IsCompleted));
        Assert.Single(puts, static p => FilesCube.EndOf(p).Status == Done);
        Assert.All(puts, static p => Assert.Contains(FilesCube.EndOf(p).Status, (FileStatus[])[Done, Exists]));
        int winner = Array.FindIndex(puts, static p => FilesCube.EndOf(p).Status == Done);
        Assert.Equal(files[winner], cube.Get(4, "/new/crowd").Bytes);
        cube.AssertQuiet();
        Assert.Equal(3, cube.Chunks(0));
    }

    [Fact]
    public void Who_goes_away_in_the_middle_leaves_nothing()
    {
        using var cube = new FilesCube(3, 1, 1);
        bool isDone = cube.Run(
            0,
            static async s =>
            {
                using IFileWriter writer = s.OpenWrite("/half");
                return await writer.WriteAsync(FilesCube.BytesOf(1, (3 * Chunk) + 5)) == Done;
            }
        );
        Assert.True(isDone);
        cube.AssertQuiet();
        Assert.Equal((0, NotFound), (cube.Chunks(0), cube.Find(1, "/half").Status));
    }

    [Fact]
    public void A_file_that_is_deleted_while_it_is_read_ends_in_words()
    {
        using var cube = new FilesCube(3, 1, 1);
        Assert.Equal(Done, cube.Put(0, "/file", FilesCube.BytesOf(1, 4 * Chunk)).Status);
        FileStatus end = cube.Run(
            1,
            static async s =>
            {
                using IFileReader reader = await s.OpenReadAsync("/file");
                Assert.Equal(Done, (await reader.ReadAsync()).Status);
                Assert.Equal(Done, (await s.DeleteAsync("/file")).Status);
                FilePart part;
                do
                {
                    part = await reader.ReadAsync();
                } while (part.Status == Done && !part.Bytes.IsEmpty);
                return part.Status;
            }
        );
        Assert.Equal(NotFound, end);
        cube.AssertQuiet();
    }

    [Fact]
    public void What_is_too_large_and_a_full_disk_are_refused_and_leave_nothing()
    {
        using var cube = new FilesCube(
            3,
            1,
            1,
            new FilesOptions { ChunkBytes = Chunk, MostBytes = 3 * Chunk },
            diskBytes: 24 << 20
        );
        Assert.Equal(TooLarge, cube.Put(0, "/large", new byte[(3 * Chunk) + 1]).Status);
        Assert.Equal(Done, cube.Put(0, "/fits", new byte[3 * Chunk]).Status);
        FileStatus last = Done;
        int made = 0;
        for (; last == Done && made < 500; made++)
        {
            last = cube.Put(0, $"/many/{made}", FilesCube.BytesOf(made, 3 * Chunk)).Status;
        }

        Assert.Equal(Full, last);
        Assert.Equal(FilesCube.BytesOf(made - 2, 3 * Chunk), cube.Get(2, $"/many/{made - 2}").Bytes);
        cube.AssertQuiet();
        Assert.Equal(3 * made, cube.Chunks(0));
    }

    [Fact]
    public void The_quota_holds_for_a_crowd_and_what_a_dead_server_took_is_given_back()
    {
        using var cube = new FilesCube(
            3,
            3,
            1,
            new FilesOptions
            {
                ChunkBytes = Chunk,
                Quota = 10 * Chunk,
                SweepEvery = TimeSpan.FromSeconds(10),
            }
        );
        Task<FileAnswer>[] puts =
        [
            .. Enumerable.Range(0, 30).Select(i => cube.StartPut(i % 8, $"/crowd/{i}", FilesCube.BytesOf(i, Chunk))),
        ];
        cube.Cube.AwaitUntil(() => puts.All(static p => p.IsCompleted));
        Assert.All(puts, static p => Assert.Contains(FilesCube.EndOf(p).Status, (FileStatus[])[Done, OverQuota]));
        Assert.InRange(puts.Count(static p => FilesCube.EndOf(p).Status == Done), 1, 10);
        while (cube.Put(0, $"/more/{cube[0].Counters.Made.Value}", new byte[Chunk]).Status == Done)
        {
            Assert.True(cube[0].Counters.Made.Value < 20);
        }

        Assert.Equal(10, cube.Walk(1).Count(path => cube.Find(1, path).Entry is { IsDirectory: false }));
        Assert.Equal(OverQuota, cube.Put(1, "/one", [1]).Status);
        Assert.Equal(Done, cube.Delete(2, "/crowd", recursive: true).Status);
        Assert.Equal(Done, cube.Put(1, "/one", [1]).Status);

        // It has taken its bytes, and not its name.
        Task<FileAnswer> lost = cube.StartPut(8, "/lost", new byte[5 * Chunk]);
        cube.Cube.AwaitUntil(() => cube[8].Counters.Written.Value == 5 * Chunk);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
        cube.Cube.Kill(cube.Cube.Shape.At(8));
        Assert.False(lost.IsCompleted);
        cube.Cube.AwaitConverged();
        cube.Cube.Advance(TimeSpan.FromSeconds(40));
        long used = cube.Walk(1).Sum(path => cube.Find(1, path).Entry!.Length);
        Assert.Equal(Done, cube.Put(1, "/rest", new byte[(10 * Chunk) - used]).Status);
        Assert.Equal(OverQuota, cube.Put(1, "/above", [1]).Status);
        cube.AssertQuiet();
    }

    [Fact]
    public void Bad_paths_are_refused_in_words_and_change_nothing()
    {
        using var cube = new FilesCube(3, 1, 1);
        string[] bad =
        [
            "",
            "a",
            "//",
            "/a//b",
            "/a/",
            "/..",
            "/a/./b",
            "/a\0b",
            "/a\nb",
            "/\ud800",
            "/" + new string('x', 256),
            string.Concat(Enumerable.Repeat("/" + new string('x', 250), 12)),
        ];
        foreach (string path in bad)
        {
            Assert.Equal(BadPath, cube.Put(0, path, [1]).Status);
            Assert.Equal(BadPath, cube.Find(0, path).Status);
            Assert.NotNull(cube.Find(0, path).Words);
            Assert.Equal(BadPath, cube.Delete(0, path).Status);
            Assert.Equal(BadPath, cube.Run(0, s => s.MakeDirectoryAsync(path)).Status);
            Assert.Equal(BadPath, cube.Run(0, s => s.ListAsync(path)).Status);
            Assert.Equal(BadPath, cube.Get(0, path).Status);
        }

        Assert.Equal(BadPath, cube.Put(0, "/", [1]).Status);
        Assert.Equal(BadPath, cube.Delete(0, "/", recursive: true).Status);
        Assert.Equal(BadPath, cube.Put(0, "/a", [1], new FileCreation { MediaType = new string('x', 129) }).Status);
        Assert.Empty(cube.List(0, "/"));
        Assert.Equal(BadCursor, cube.Run(0, static s => s.ListAsync("/", "rubbish")).Status);
        cube.AssertQuiet();
        Assert.Equal(0, cube.Chunks(0));
    }

    private static FileLayout Layout(FilesCube cube, string path) => cube.Run(0, s => s.DescribeAsync(path));
}
