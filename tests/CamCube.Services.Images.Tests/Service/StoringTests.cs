using CamCube.Services.Images.Pictures.Simulated;
using static CamCube.Services.Images.ImageStatus;

namespace CamCube.Services.Images.Tests.Service;

/// <summary>Pictures that are stored, read, replaced and deleted.</summary>
public sealed class StoringTests
{
    [Theory]
    [InlineData(1, 1, 1)]
    [InlineData(2, 1, 1)]
    [InlineData(3, 3, 1)]
    public void What_is_stored_through_one_server_is_read_through_every_other(int x, int y, int z)
    {
        using var cube = new ImageCube(x, y, z);
        int servers = cube.Cube.Shape.Count;
        for (int from = 0; from < servers; from++)
        {
            string name = $"cat {from}.jpg";
            byte[] picture = TestPicture.Of(from, length: 200_000);
            ImageAnswer stored = cube.Put(from, name, picture);
            Assert.Equal(
                (Done, true, false, "image/jpeg", 640, 480, 200_000L),
                (
                    stored.Status,
                    stored.IsNew,
                    stored.IsPending,
                    stored.MediaType,
                    stored.Width,
                    stored.Height,
                    stored.Length
                )
            );
            int to = (from + 1) % servers;
            (ImageAnswer original, byte[] bytes) = cube.Original(to, name);
            Assert.Equal((Done, stored.Version), (original.Status, original.Version));
            Assert.Equal(picture, bytes);
            (ImageAnswer thumb, byte[] small) = cube.Variant(to, name);
            Assert.Equal((Done, stored.Version, 160, 120), (thumb.Status, thumb.Version, thumb.Width, thumb.Height));
            Assert.Equal(TestPicture.Variant(picture), small);
        }

        cube.AssertQuiet();
    }

    [Fact]
    public void A_picture_goes_once_through_the_cube_and_its_variants_are_kept_where_it_lies()
    {
        using var cube = new ImageCube(3, 3, 1);
        string name = cube.NameAt(4);
        byte[] picture = TestPicture.Of(1, length: 100_000);
        long carried = 0;
        cube.Cube.Lose = (_, _, packet) =>
        {
            carried += packet.Service.Value == 0x01A0 ? packet.Body.Length : 0;
            return false;
        };
        cube.Put(0, name, picture);
        int hops = cube.Cube.Shape.Distance(cube.Cube.Shape.At(0), cube.Cube.Shape.At(4));
        Assert.InRange(carried, hops * picture.Length, (hops * picture.Length) + 20_000);
        Assert.Equal(1, cube[4].Counters.Stored.Value);
        Assert.Equal(1, cube.CachedAt(4));

        // At the server of its name it needs no packet of the service at all.
        carried = 0;
        cube.Put(4, cube.NameAt(4, 1), TestPicture.Of(2));
        Assert.Equal(Done, cube.Variant(4, name).Answer.Status);
        Assert.Equal(0, carried);
        cube.AssertQuiet();
    }

    [Fact]
    public void The_same_picture_again_changes_nothing_and_another_one_takes_its_place()
    {
        using var cube = new ImageCube(3, 1, 1);
        byte[] first = TestPicture.Of(1),
            second = TestPicture.Of(2);
        ImageAnswer stored = cube.Put(0, "a", first);
        ImageAnswer again = cube.Put(1, "a", first);
        Assert.Equal((Done, stored.Version, false), (again.Status, again.Version, again.IsNew));
        ImageAnswer replaced = cube.Put(2, "a", second);
        Assert.True(replaced.Status == Done && replaced.Version > stored.Version);
        Assert.Equal(TestPicture.Variant(second), cube.Variant(0, "a").Bytes);
        Assert.Equal(second, cube.Original(1, "a").Bytes);

        // Nothing of the first is left.
        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(1, Enumerable.Range(0, 3).Sum(rank => cube.CachedAt(rank)));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_picture_of_the_same_length_is_the_same_if_each_byte_is()
    {
        using var cube = new ImageCube(3, 1, 1);
        byte[] first = TestPicture.Of(1, length: 400_000),
            last = [.. first];
        last[^1]++;
        ImageAnswer stored = cube.Put(0, "a", first);
        Assert.Equal(stored.Version, cube.Put(1, "a", first).Version);
        ImageAnswer replaced = cube.Put(2, "a", last);
        Assert.True(replaced.Version > stored.Version);
        Assert.Equal(last, cube.Original(0, "a").Bytes);
        Assert.Equal(1, Enumerable.Range(0, 3).Sum(rank => cube[rank].Counters.Unchanged.Value));
        Assert.Equal(2, Enumerable.Range(0, 3).Sum(rank => cube[rank].Counters.Stored.Value));
        cube.AssertQuiet();
    }

    [Fact]
    public void Conditions_hold_and_deletes_take_variants_with_them()
    {
        using var cube = new ImageCube(3, 1, 1);
        byte[] picture = TestPicture.Of(1);
        ImageAnswer stored = cube.Put(0, "a", picture, ImageCondition.Absent);
        Assert.Equal(Done, stored.Status);
        Assert.Equal((Conflict, stored.Version), StatusOf(cube.Put(1, "a", TestPicture.Of(2), ImageCondition.Absent)));
        Assert.Equal((Conflict, stored.Version), StatusOf(cube.Delete(1, "a", ImageCondition.Is(stored.Version + 1))));
        Assert.Equal(Done, cube.Delete(2, "a", ImageCondition.Is(stored.Version)).Status);
        Assert.Equal(NotFound, cube.Find(0, "a").Status);
        Assert.Equal(NotFound, cube.Original(0, "a").Answer.Status);
        Assert.Equal(NotFound, cube.Variant(0, "a").Answer.Status);
        Assert.Equal(NotFound, cube.Delete(2, "a").Status);
        Assert.Equal((Conflict, 0UL), StatusOf(cube.Put(1, "a", picture, ImageCondition.Is(stored.Version))));
        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        Assert.All(Enumerable.Range(0, 3), r => Assert.Equal(0, cube.CachedAt(r)));

        // It may come back, and is another one then.
        ImageAnswer back = cube.Put(1, "a", picture, ImageCondition.Absent);
        Assert.True(back is { Status: Done, IsNew: true } && back.Version > stored.Version);
        Assert.Equal(TestPicture.Variant(picture), cube.Variant(0, "a").Bytes);
        cube.AssertQuiet();
    }

    [Fact]
    public void What_is_no_picture_is_refused_and_nothing_is_stored()
    {
        using var cube = new ImageCube(3, 1, 1, new ImagesOptions { MostBytes = 10_000, MostPixels = 1_000_000 });
        Assert.Equal(UnknownType, cube.Put(0, "a", "<svg/>"u8.ToArray()).Status);
        Assert.Equal(UnknownType, cube.Put(0, "a", []).Status);
        Assert.Equal(Undecodable, cube.Put(0, "a", TestPicture.Of(1)[..20]).Status);
        Assert.Equal(TooLarge, cube.Put(0, "a", TestPicture.Of(1, length: 10_001)).Status);
        Assert.Equal(TooManyPixels, cube.Put(0, "a", TestPicture.Of(1, width: 1_001, height: 1_000)).Status);
        Assert.Equal(TooManyPixels, cube.Put(0, "a", TestPicture.Of(1, width: 16_385, height: 1)).Status);
        Assert.Equal(Undecodable, cube.Put(1, "a", TestPicture.Ending(1, SimulatedPictures.Damaged)).Status);
        Assert.Equal(Undecodable, cube.Put(1, "a", TestPicture.Ending(1, SimulatedPictures.Dies)).Status);
        Assert.Equal(Undecodable, cube.Put(1, "a", TestPicture.Ending(1, SimulatedPictures.Hangs)).Status);
        Assert.Equal(Undecodable, cube.Put(1, "a", TestPicture.Ending(1, SimulatedPictures.Rubbish)).Status);
        Assert.Equal(NotFound, cube.Find(2, "a").Status);
        foreach (string name in (string[])["", ".", "..", "a/b", "a\0", "\u0085", new string('x', 201), "\ud800"])
        {
            Assert.Equal(BadName, cube.Put(0, name, TestPicture.Of(1)).Status);
            Assert.Equal(BadName, cube.Find(0, name).Status);
            Assert.Equal(BadName, cube.Variant(0, name).Answer.Status);
            Assert.Equal(BadName, cube.Original(0, name).Answer.Status);
            Assert.Equal(BadName, cube.Delete(0, name).Status);
        }

        Assert.Equal(NoSuchVariant, cube.Variant(0, "a", "huge").Answer.Status);
        cube.AssertQuiet();
    }

    [Fact]
    public void Without_a_cache_images_are_stored_and_variants_are_pending_until_somebody_asks()
    {
        using var cube = new ImageCube(3, 1, 1, hasCache: false);
        byte[] picture = TestPicture.Of(1);
        ImageAnswer stored = cube.Put(0, "a", picture);
        Assert.Equal((Done, true), (stored.Status, stored.IsPending));
        ImageAnswer again = cube.Put(2, "a", picture);
        Assert.Equal((Done, true, stored.Version), (again.Status, again.IsPending, again.Version));
        Assert.Equal(TestPicture.Variant(picture), cube.Variant(1, "a").Bytes);
        ImageInfo info = cube.Describe(2, "a");
        Assert.False(Assert.Single(info.Variants).IsReady);
        cube.AssertQuiet();
    }

    [Fact]
    public void Without_workers_images_are_stored_and_read_and_variants_are_refused()
    {
        using var cube = new ImageCube(3, 1, 1, hasWorkers: false);
        byte[] picture = TestPicture.Of(1);
        ImageAnswer stored = cube.Put(0, "a", picture);
        Assert.Equal((Done, true), (stored.Status, stored.IsPending));
        Assert.Equal(picture, cube.Original(1, "a").Bytes);
        for (int rank = 0; rank < 3; rank++)
        {
            (ImageAnswer answer, byte[] bytes) = cube.Variant(rank, "a");
            Assert.Equal((NoWorkers, 0), (answer.Status, bytes.Length));
        }

        Assert.False(Assert.Single(cube.Describe(2, "a").Variants).IsReady);
        Assert.Equal(Done, cube.Delete(1, "a").Status);
        cube.AssertQuiet();
    }

    [Fact]
    public void Originals_in_memory_are_read_when_a_server_that_has_them_is_lost()
    {
        using var cube = new ImageCube(3, 3, 1, mode: "storage=memory");
        string name = cube.NameAt(4);
        byte[] picture = TestPicture.Of(1, length: 200_000);
        ImageAnswer stored = cube.Put(0, name, picture);
        Assert.Equal((Done, false), (stored.Status, stored.IsPending));
        cube.Cube.Kill(cube.Cube.Shape.At(4));
        cube.Cube.AwaitConverged();
        (ImageAnswer original, byte[] bytes) = cube.Original(1, name);
        Assert.Equal((Done, stored.Version), (original.Status, original.Version));
        Assert.Equal(picture, bytes);
        Assert.Equal(TestPicture.Variant(picture), cube.Variant(2, name).Bytes);
        cube.AssertQuiet();
    }

    [Fact]
    public void What_there_is_of_an_image_is_said_by_every_server_alike()
    {
        using var cube = new ImageCube(3, 3, 1);
        ImageAnswer stored = cube.Put(0, "a", TestPicture.Of(1));
        for (int rank = 0; rank < 9; rank++)
        {
            ImageInfo info = cube.Describe(rank, "a");
            Assert.Equal((Done, stored.Version), (info.Image.Status, info.Image.Version));
            Assert.Equal(cube.Cube.Shape.At(cube.RootOf("a")), info.Root);
            Assert.Equal((3, info.Root), (info.Servers.Count, info.Servers[0]));
            ImageVariantInfo thumb = Assert.Single(info.Variants);
            Assert.Equal(
                ("thumb", true, "image/jpeg", 160, 120, 3_500L),
                (thumb.Name, thumb.IsReady, thumb.MediaType, thumb.Width, thumb.Height, thumb.Length)
            );
        }

        Assert.Equal(NotFound, cube.Describe(0, "b").Image.Status);
        cube.AssertQuiet();
    }

    private static (ImageStatus Status, ulong Version) StatusOf(in ImageAnswer answer) =>
        (answer.Status, answer.Version);
}
