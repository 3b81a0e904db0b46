using System.Buffers;
using static CamCube.Services.Images.ImageStatus;

namespace CamCube.Services.Images.Tests.Service;

/// <summary>Servers that are lost and messages that are lost while pictures are on their way.</summary>
public sealed class FaultTests
{
    [Fact]
    public void A_picture_whose_server_is_lost_in_the_middle_is_stored_once_by_the_next_one()
    {
        for (int millis = 0; millis < 40; millis += 12)
        {
            using var cube = new ImageCube(3, 3, 1);
            string name = cube.NameAt(4);
            byte[] picture = TestPicture.Of(millis, length: 400_000);
            Task<ImageAnswer> put = cube.StartPut(0, name, picture);
            cube.Cube.Advance(TimeSpan.FromMilliseconds(millis));
            cube.Cube.Kill(cube.Cube.Shape.At(4));
            cube.Cube.AwaitUntil(() => put.IsCompleted);
            Assert.Equal(Done, ImageCube.EndOf(put).Status);
            Assert.Equal(picture, cube.Original(1, name).Bytes);
            Assert.Equal(ImageCube.EndOf(put).Version, cube.Find(2, name).Version);
            Assert.Equal(TestPicture.Variant(picture), cube.Variant(1, name).Bytes);
            cube.AssertQuiet();
        }
    }

    [Fact]
    public void A_lost_answer_is_asked_for_and_the_picture_is_not_sent_again()
    {
        using var cube = new ImageCube(3, 1, 1);
        string name = cube.NameAt(1);
        byte[] picture = TestPicture.Of(1, length: 200_000);
        int lost = 0;
        long carried = 0;
        cube.Cube.Lose = (_, _, packet) =>
        {
            bool isOwn = packet.Service.Value == 0x01A0;
            carried += isOwn ? packet.Body.Length : 0;

            // Short ones are the answers of the server.
            return isOwn
                && packet.Source == cube.Cube.Shape.At(1)
                && lost < 3
                && packet.Body.Length is > 20 and < 200
                && ++lost > 0;
        };
        ImageAnswer stored = cube.Put(0, name, picture);
        Assert.Equal((Done, true), (stored.Status, lost > 0));
        Assert.InRange(carried, picture.Length, picture.Length + 10_000);
        Assert.Equal(1, cube[1].Counters.Stored.Value);
        Assert.Equal(stored.Version, cube.Find(2, name).Version);
        cube.AssertQuiet();
    }

    [Fact]
    public void A_late_attempt_does_not_bring_a_deleted_image_back()
    {
        using var cube = new ImageCube(3, 3, 1);
        string name = cube.NameAt(4);
        byte[] picture = TestPicture.Of(1, length: 50_000, width: 6_000, height: 5_000);
        Task<ImageAnswer> put = cube.StartPut(0, name, picture);

        // It has the picture, and stands still before its worker is done with it.
        cube.Cube.AwaitUntil(() => cube[4].Open.Stored == 1);
        cube.Cube.Pause(cube.Cube.Shape.At(4), TimeSpan.FromSeconds(20));
        cube.Cube.AwaitUntil(() => put.IsCompleted);
        Assert.Equal(Done, ImageCube.EndOf(put).Status);
        Assert.Equal(Done, cube.Delete(1, name).Status);
        cube.Cube.Advance(TimeSpan.FromSeconds(30));
        Assert.Equal(NotFound, cube.Find(2, name).Status);
        Assert.Equal(0, cube[4].Counters.Stored.Value);
        cube.AssertQuiet();
    }

    [Fact]
    public void A_crowd_of_writers_of_one_name_leaves_the_picture_of_one_of_them()
    {
        using var cube = new ImageCube(3, 3, 1);
        byte[][] pictures = [.. Enumerable.Range(0, 18).Select(i => TestPicture.Of(i, length: 20_000 + i))];
        Task<ImageAnswer>[] puts = [.. pictures.Select((picture, i) => cube.StartPut(i % 9, "crowd", picture))];
        cube.Cube.AwaitUntil(() => puts.All(p => p.IsCompleted));
        Assert.All(puts, p => Assert.Contains(ImageCube.EndOf(p).Status, (ImageStatus[])[Done, Conflict]));
        ImageAnswer last = puts.Select(ImageCube.EndOf).Where(a => a.Status == Done).MaxBy(a => a.Version);
        Assert.Equal(last.Version, cube.Find(0, "crowd").Version);
        ImageAnswer[] done = [.. puts.Select(ImageCube.EndOf).Where(a => a.Status == Done)];
        Assert.Equal(done.Length, done.Select(a => a.Version).Distinct().Count());
        byte[] left = cube.Original(3, "crowd").Bytes;
        Assert.Equal(TestPicture.Variant(left), cube.Variant(4, "crowd").Bytes);
        Assert.Contains(pictures, picture => picture.AsSpan().SequenceEqual(left));
        cube.AssertQuiet();
    }

    [Fact]
    public void Of_more_pictures_than_a_server_works_on_at_once_some_are_refused_and_none_is_lost()
    {
        using var cube = new ImageCube(3, 1, 1, new ImagesOptions { Jobs = 2 });
        Task<ImageAnswer>[] puts =
        [
            .. Enumerable
                .Range(0, 12)
                .Select(i => cube.StartPut(i % 2 * 2, cube.NameAt(1, i), TestPicture.Of(i, 5_000))),
        ];
        cube.Cube.AwaitUntil(() => puts.All(p => p.IsCompleted));
        Assert.Contains(puts, p => ImageCube.EndOf(p).Status == Done);
        Assert.All(puts, p => Assert.Contains(ImageCube.EndOf(p).Status, (ImageStatus[])[Done, Busy]));
        for (int i = 0; i < puts.Length; i++)
        {
            ImageStatus expected = ImageCube.EndOf(puts[i]).Status == Done ? Done : NotFound;
            Assert.Equal(expected, cube.Find(0, cube.NameAt(1, i)).Status);
        }

        cube.AssertQuiet();
    }
}
