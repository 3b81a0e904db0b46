using System.Buffers;
using CamCube.Services.Cache;
using CamCube.Simulator.Disks;
using static CamCube.Services.Images.ImageStatus;

namespace CamCube.Services.Images.Tests.Service;

/// <summary>Variants that the cache has lost.</summary>
public sealed class VariantTests
{
    [Fact]
    public void A_crowd_that_misses_a_variant_at_once_waits_for_one_piece_of_work()
    {
        using var cube = new ImageCube(3, 3, 1, new ImagesOptions { Variants = ["thumb=160x160", "wide=320x200"] });
        byte[] picture = TestPicture.Of(1, length: 300_000);
        string name = cube.NameAt(4);
        cube.Put(0, name, picture);
        cube.Cube.Await(cube.Cube[0].Service<CacheService>().FlushAllAsync(0));
        List<(Task<ImageAnswer> Answer, ArrayBufferWriter<byte> Bytes, bool IsWide)> asked = [];
        for (int i = 0; i < 90; i++)
        {
            var into = new ArrayBufferWriter<byte>();
            bool isWide = i % 3 == 0;
            string variant = isWide ? "wide" : "thumb";
            asked.Add((cube.Start(i % 9, s => s.GetVariantAsync(name, variant, into)), into, isWide));
        }

        // A hostile one among them asks for what is not there.
        Assert.Equal(NoSuchVariant, cube.Variant(1, name, "huge").Answer.Status);
        cube.Cube.AwaitUntil(() => asked.All(one => one.Answer.IsCompleted));
        foreach ((Task<ImageAnswer> answer, ArrayBufferWriter<byte> bytes, bool isWide) in asked)
        {
            Assert.Equal(Done, ImageCube.EndOf(answer).Status);
            Assert.Equal(
                isWide ? TestPicture.Variant(picture, 320, 200) : TestPicture.Variant(picture),
                bytes.WrittenSpan.ToArray()
            );
        }

        Assert.Equal(1, cube[4].Counters.Remade.Value);
        Assert.Equal(Done, cube.Variant(8, name).Answer.Status);
        Assert.Equal(1, cube[4].Counters.Remade.Value);
        cube.AssertQuiet();
    }

    [Fact]
    public void What_the_cache_has_is_answered_without_a_disk()
    {
        // What was put lately is in memory: here the last picture of the tag at most.
        using var cube = new ImageCube(3, 3, 1, tailBytes: 4 << 10);
        string[] names = [.. Enumerable.Range(0, 4).Select(static i => $"{{album}} {i}")];
        byte[][] pictures = [.. names.Select(static (_, i) => TestPicture.Of(i, length: 3_500))];
        for (int i = 0; i < names.Length; i++)
        {
            Assert.Equal(Done, cube.Put(i, names[i], pictures[i]).Status);
        }

        using (cube.Cube.Cube.DiskFaults.Add(new DiskReadFailures(1)))
        {
            (ImageAnswer answer, byte[] bytes) = cube.Variant(5, names[0]);
            Assert.Equal(Done, answer.Status);
            Assert.Equal(TestPicture.Variant(pictures[0]), bytes);

            // The same of the original needs one.
            Assert.Equal(DataAway, cube.Find(5, names[0]).Status);
        }

        cube.AssertQuiet();
    }

    [Fact]
    public void Where_the_server_of_a_name_is_lost_the_next_one_makes_its_variants_again()
    {
        using var cube = new ImageCube(3, 3, 1);
        byte[] picture = TestPicture.Of(1, length: 150_000);
        string name = cube.NameAt(4);
        Assert.Equal(Done, cube.Put(0, name, picture).Status);
        cube.Cube.Kill(cube.Cube.Shape.At(4));
        cube.Cube.AwaitConverged();
        Assert.NotEqual(4, cube.RootOf(name));
        (ImageAnswer answer, byte[] bytes) = cube.Variant(1, name);
        Assert.Equal(Done, answer.Status);
        Assert.Equal(TestPicture.Variant(picture), bytes);
        Assert.Equal(picture, cube.Original(2, name).Bytes);
        Assert.Equal(1, cube[cube.RootOf(name)].Counters.Remade.Value);
        cube.AssertQuiet();
    }
}
