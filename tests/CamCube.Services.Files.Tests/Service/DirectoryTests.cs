using static CamCube.Services.Files.FileStatus;

namespace CamCube.Services.Files.Tests.Service;

/// <summary>The tree of directories, while many change it at once.</summary>
public sealed class DirectoryTests
{
    [Fact]
    public void Directories_are_made_with_those_above_them_and_go_when_they_are_empty()
    {
        using var cube = new FilesCube(3, 3, 1);
        Assert.Empty(cube.List(0, "/"));
        Assert.Equal(Done, cube.Run(0, static s => s.MakeDirectoryAsync("/a/b/c")).Status);
        Assert.Equal(Done, cube.Run(5, static s => s.MakeDirectoryAsync("/a/b/c")).Status);
        Assert.Equal(Done, cube.Put(1, "/a/x{y}z%7D/deep/file", [1, 2]).Status);
        Assert.Equal(["b", "x{y}z%7D"], cube.List(2, "/a"));
        Assert.Equal(["file"], cube.List(2, "/a/x{y}z%7D/deep"));
        Assert.Empty(cube.List(2, "/a/b/c"));

        Assert.Equal(NotEmpty, cube.Delete(3, "/a").Status);
        Assert.Equal(NotEmpty, cube.Delete(3, "/a/b").Status);
        Assert.Equal(Done, cube.Delete(3, "/a/b/c").Status);
        Assert.Equal(NotFound, cube.Delete(3, "/a/b/c").Status);
        Assert.Equal(Done, cube.Delete(4, "/a/b").Status);
        Assert.Equal(NotFound, cube.Run(4, static s => s.ListAsync("/a/b")).Status);
        Assert.Equal(Done, cube.Delete(4, "/a", recursive: true).Status);
        Assert.Empty(cube.List(0, "/"));
        Assert.Equal(0, cube.Chunks(0));

        // It is made anew after it was deleted.
        Assert.Equal(Done, cube.Put(0, "/a/b/again", [1]).Status);
        Assert.Equal(["/a", "/a/b", "/a/b/again"], cube.Walk(1));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_file_is_no_directory_and_a_directory_no_file()
    {
        using var cube = new FilesCube(3, 1, 1);
        Assert.Equal(Done, cube.Put(0, "/file", [1]).Status);
        Assert.Equal(NotDirectory, cube.Put(0, "/file/below", [1]).Status);
        Assert.Equal(NotDirectory, cube.Run(0, static s => s.MakeDirectoryAsync("/file")).Status);
        Assert.Equal(NotDirectory, cube.Run(0, static s => s.MakeDirectoryAsync("/file/a/b")).Status);
        Assert.Equal(NotDirectory, cube.Run(0, static s => s.ListAsync("/file")).Status);
        Assert.Equal(Done, cube.Run(0, static s => s.MakeDirectoryAsync("/dir")).Status);
        Assert.Equal(FileStatus.IsDirectory, cube.Put(0, "/dir", [1]).Status);
        Assert.Equal(FileStatus.IsDirectory, cube.Get(0, "/dir").Status);
        Assert.Equal(FileStatus.IsDirectory, cube.Get(0, "/").Status);
        Assert.Equal(["/dir", "/file"], cube.Walk(2));
        cube.AssertQuiet();
        Assert.Equal(1, cube.Chunks(0));
    }

    [Fact]
    public void A_directory_of_many_is_listed_in_parts_each_name_once()
    {
        using var cube = new FilesCube(3, 1, 1);
        string[] names = [.. Enumerable.Range(0, 150).Select(i => $"name {i:D3} ü")];
        Task<FileAnswer>[] puts = [.. names.Select((name, i) => cube.StartPut(i % 3, $"/many/{name}", [(byte)i]))];
        cube.Cube.AwaitUntil(() => puts.All(static p => p.IsCompleted));
        Assert.All(puts, static p => Assert.Equal(Done, FilesCube.EndOf(p).Status));
        foreach (int limit in (int[])[int.MinValue, 7, 64, int.MaxValue])
        {
            Assert.Equal(names, cube.List(1, "/many", limit));
        }

        Assert.Equal(Done, cube.Delete(2, "/many", recursive: true).Status);
        Assert.Empty(cube.Walk(0));
        cube.AssertQuiet();
        Assert.Equal((0, 0), (cube.Chunks(0), cube.Keys(0, "file{")));
    }

    // Some put files into directories, others delete these as soon as they are empty, servers stand still or die.
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    [InlineData(6)]
    public void No_file_is_ever_in_a_directory_that_nobody_sees(int seed)
    {
        using var cube = new FilesCube(3, 3, 1);
        var random = new Random(seed);
        int end = 0,
            clients = 12;
        HashSet<string> made = [],
            unsure = [];
        for (int client = 0; client < clients; client++)
        {
            int number = client,
                rank = client % 8;
            var own = new Random((seed * 100) + client);
            _ = cube.Start(
                rank,
                async s =>
                {
                    for (int i = 0; i < 25; i++)
                    {
                        string directory = $"/d{own.Next(2)}" + (own.Next(3) == 0 ? $"/e{own.Next(2)}" : ""),
                            file = $"{directory}/f{number}-{i}";
                        if (number % 3 == 0)
                        {
                            await s.DeleteAsync(directory);
                            continue;
                        }

                        FileAnswer put = await PutAsync(s, file);
                        (put.Status == Done ? made : unsure).Add(file);
                        if (put.Status == Done && own.Next(4) > 0)
                        {
                            FileAnswer gone = await s.DeleteAsync(file);
                            made.Remove(file);
                            if (gone.Status != Done)
                            {
                                unsure.Add(file);
                            }
                        }
                    }

                    end++;
                    return true;
                }
            );
        }

        for (int i = 0; end < clients; i++)
        {
            cube.Cube.Advance(TimeSpan.FromMilliseconds(random.Next(1, 200)));
            if (i == 3)
            {
                cube.Cube.Kill(cube.Cube.Shape.At(8));
            }
            else if (i > 3 && i % 7 == 0)
            {
                cube.Cube.Pause(cube.Cube.Shape.At(random.Next(8)), TimeSpan.FromMilliseconds(random.Next(2_000)));
            }
        }

        cube.Cube.AwaitConverged();
        cube.AwaitLed();
        SortedSet<string> seen = cube.Walk(0);
        Assert.Empty(made.Except(seen).Except(unsure));

        // All names that the store has are seen, too: none is in a directory that is not there.
        Assert.Equal(seen.Count, cube.Keys(1, "file{"));
        Assert.True(cube[0].Counters.Made.Value + cube[1].Counters.Made.Value > 0);
        cube.AssertQuiet();
    }

    private static async ValueTask<FileAnswer> PutAsync(FilesService service, string path)
    {
        using IFileWriter writer = service.OpenWrite(path);
        FileStatus status = await writer.WriteAsync(new byte[] { 1 });
        return status == Done ? await writer.CommitAsync() : new FileAnswer(status);
    }
}
