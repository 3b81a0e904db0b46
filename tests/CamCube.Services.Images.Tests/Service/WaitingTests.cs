using CamCube.Services.Images.Pictures.Simulated;
using CamCube.Simulator.Disks;
using static CamCube.Services.Images.ImageStatus;

namespace CamCube.Services.Images.Tests.Service;

/// <summary>Pictures that wait for a worker behind such as keep it for its whole time.</summary>
public sealed class WaitingTests
{
    private const int Root = 4;
    private const int Hostile = 24;
    private const int Sound = 12;
    private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(9);
    private static readonly TimeSpan WorkerTime = TimeSpan.FromSeconds(3);

    // Looks of the key-value store before and behind a picture's time.
    private static readonly TimeSpan Looks = TimeSpan.FromSeconds(2);

    // The key-value store's time for each.
    private static readonly TimeSpan OnePiece = TimeSpan.FromSeconds(5);

    [Fact]
    public void A_crowd_behind_pictures_that_hang_the_only_worker_is_refused_while_it_is_there_to_hear_it()
    {
        using ImageCube cube = Cube();
        Task<ImageAnswer>[] hostile = [.. Enumerable.Range(0, Hostile).Select(i => PutHostile(cube, i % 9, i))];
        Task<ImageAnswer>[] sound = [.. Enumerable.Range(0, Sound).Select(i => PutSound(cube, i % 9, i))];
        cube.Cube.AwaitUntil(() => cube[Root].Open.Stored == Hostile + Sound);
        Assert.True(Claimed(cube, Root) > 0);

        // Two or three have had the worker when the time of the others is over; who sent one of these is told that it
        // was not done.
        cube.Cube.Advance(Timeout - WorkerTime + Looks);
        Assert.All(sound, put => Assert.Equal(Busy, ImageCube.EndOf(put).Status));
        cube.Cube.Advance(WorkerTime);
        Assert.All(hostile, put => Assert.Contains(ImageCube.EndOf(put).Status, (ImageStatus[])[Busy, Undecodable]));
        Assert.InRange(hostile.Count(put => ImageCube.EndOf(put).Status == Undecodable), 2, 3);
        Assert.Equal((0, 0L), (cube[Root].Open.Stored, Claimed(cube, Root)));
        AssertServes(cube, 0);

        // They only waited: none of them is remembered as one that kills workers.
        for (int i = 0; i < Sound; i++)
        {
            Assert.Equal(Done, cube.Put(i % 9, cube.NameAt(Root, i), TestPicture.Of(i)).Status);
        }

        cube.AssertQuiet();
    }

    [Theory]
    [InlineData(0)]
    [InlineData(Root)]
    public void Everybody_has_an_answer_in_time_when_a_server_falls_in_the_middle(int falls)
    {
        using ImageCube cube = Cube();
        int[] ranks = [.. Enumerable.Range(0, 9).Where(rank => rank != falls)];
        PutHostile(cube, falls, Hostile);
        PutSound(cube, falls, Sound);
        Task<ImageAnswer>[] hostile =
        [
            .. Enumerable.Range(0, Hostile).Select(i => PutHostile(cube, ranks[i % ranks.Length], i)),
        ];
        Task<ImageAnswer>[] sound =
        [
            .. Enumerable.Range(0, Sound).Select(i => PutSound(cube, ranks[i % ranks.Length], i)),
        ];
        cube.Cube.AwaitUntil(() => cube[Root].Open.Stored == Hostile + Sound + 2);
        cube.Cube.Advance(WorkerTime / 2);
        cube.Cube.Kill(cube.Cube.Shape.At(falls));

        // Who has become the server of the name meanwhile begins anew with what it has sent.
        cube.Cube.Advance((2 * Timeout) + Looks);
        Assert.All(hostile, put => Assert.NotEqual(Done, ImageCube.EndOf(put).Status));
        Assert.All(sound, put => Assert.Contains(ImageCube.EndOf(put).Status, (ImageStatus[])[Done, Busy, Unknown]));
        foreach (int rank in ranks)
        {
            Assert.Equal((0, 0, 0, 0), cube[rank].Open);
            Assert.Equal(0, Claimed(cube, rank));
        }

        AssertServes(cube, ranks[0]);
        cube.AssertQuiet();
    }

    [Fact]
    public void Who_asks_for_variants_behind_pictures_that_hang_the_only_worker_has_an_answer_in_time()
    {
        using ImageCube cube = Cube();
        byte[] picture = TestPicture.Of(1);
        string name = cube.NameAt(Root);
        Assert.Equal(Done, cube.Put(0, name, picture).Status);
        cube.Cube.Await(cube.Cube[0].Service<Cache.CacheService>().FlushAllAsync(0));
        Task<ImageAnswer>[] hostile = [.. Enumerable.Range(0, Hostile).Select(i => PutHostile(cube, i % 9, i))];
        cube.Cube.AwaitUntil(() => cube[Root].Open.Stored == Hostile);
        Task<ImageAnswer>[] asked =
        [
            .. Enumerable
                .Range(0, 9)
                .Select(i =>
                    cube.Start(i, s => s.GetVariantAsync(name, "thumb", new System.Buffers.ArrayBufferWriter<byte>()))
                ),
        ];
        cube.Cube.AwaitUntil(() => cube[Root].Open.Made == 1);
        long busy = cube[Root].Counters.Busy.Value;
        cube.Cube.Advance(Timeout - WorkerTime + Looks);
        Assert.All(asked, get => Assert.Equal(Busy, ImageCube.EndOf(get).Status));
        Assert.True(cube[Root].Counters.Busy.Value > busy);
        cube.Cube.Advance(WorkerTime);
        Assert.Equal((0, 0, 0, 0), cube[Root].Open);
        Assert.Equal(TestPicture.Variant(picture), cube.Variant(8, name).Bytes);
        Assert.All(hostile, put => Assert.True(put.IsCompleted));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_crowd_whose_pictures_are_compared_on_a_slow_disk_has_an_answer_in_time()
    {
        const int Crowd = 4;
        TimeSpan timeout = TimeSpan.FromSeconds(3);
        using ImageCube cube = Cube(timeout, TimeSpan.FromSeconds(1));
        byte[][] pictures = [.. Enumerable.Range(0, Crowd).Select(i => TestPicture.Of(i, length: 6 << 20))];
        for (int i = 0; i < Crowd; i++)
        {
            Assert.Equal(Done, cube.Put(Root, cube.NameAt(Root, i), pictures[i]).Status);
        }

        // Each piece comes in time, and all of them do not.
        using IDisposable slow = cube.Cube.DiskFaults.Add(new DiskSlowness(TimeSpan.FromSeconds(0.2)), Root);
        Task<ImageAnswer>[] puts =
        [
            .. pictures.Select((picture, i) => cube.StartPut(Root - i, cube.NameAt(Root, i), [.. picture[..^1], 1])),
        ];
        Task<ImageAnswer> other = cube.StartPut(8, cube.NameAt(0), TestPicture.Of(9));
        cube.Cube.Advance(timeout / 2);
        Assert.Equal(Done, ImageCube.EndOf(other).Status);
        Assert.Contains(puts, put => !put.IsCompleted);
        cube.Cube.Advance(timeout / 2);
        cube.Cube.Advance(OnePiece);
        Assert.All(puts, put => Assert.NotEqual(Done, ImageCube.EndOf(put).Status));
        Assert.Equal((0, 0L), (cube[Root].Open.Stored, Claimed(cube, Root)));
        slow.Dispose();
        Assert.Equal(Done, cube.Put(0, cube.NameAt(Root), pictures[0]).Status);
        Assert.Equal(pictures[0], cube.Original(8, cube.NameAt(Root)).Bytes);
        cube.AssertQuiet();
    }

    [Theory]
    [InlineData(0x01A0)]
    [InlineData(0x0170)]
    public void Nothing_is_left_of_a_crowd_when_a_service_begins_anew_in_the_middle(ushort service)
    {
        for (int millis = 3; millis < 30; millis += 9)
        {
            using ImageCube cube = Cube();
            Task<ImageAnswer>[] hostile = [.. Enumerable.Range(0, 3).Select(i => PutHostile(cube, i, i))];
            Task<ImageAnswer>[] sound = [.. Enumerable.Range(0, Sound).Select(i => PutSound(cube, i % Root, i))];
            cube.Cube.Advance(TimeSpan.FromMilliseconds(millis));
            cube.Cube.Cube.RestartService(Root, new ServiceId(service));
            cube.Cube.Advance((2 * Timeout) + OnePiece);
            Assert.All(hostile, put => Assert.NotEqual(Done, ImageCube.EndOf(put).Status));
            Assert.All(sound, put => Assert.True(put.IsCompleted));
            Assert.Equal((0, 0, 0, 0), cube[Root].Open);
            Assert.Equal(0, Claimed(cube, Root));
            AssertServes(cube, 0);
            cube.AssertQuiet();
        }
    }

    private static ImageCube Cube() => Cube(Timeout, WorkerTime);

    private static ImageCube Cube(TimeSpan timeout, TimeSpan workerTime) =>
        new(
            3,
            3,
            1,
            new ImagesOptions
            {
                Workers = 1,
                Timeout = timeout,
                WorkerTime = workerTime,
            }
        );

    private static Task<ImageAnswer> PutHostile(ImageCube cube, int rank, int number) =>
        cube.StartPut(rank, cube.NameAt(Root, 100 + number), TestPicture.Ending(100 + number, SimulatedPictures.Hangs));

    private static Task<ImageAnswer> PutSound(ImageCube cube, int rank, int number) =>
        cube.StartPut(rank, cube.NameAt(Root, number), TestPicture.Of(number));

    private static long Claimed(ImageCube cube, int rank) => cube.Cube[rank].ServerOf<ImagesService>().Memory.Claimed;

    private static void AssertServes(ImageCube cube, int rank)
    {
        byte[] picture = TestPicture.Of(5_000);
        string name = cube.NameAt(Root, Sound + 1);
        Assert.Equal(Done, cube.Put(rank, name, picture).Status);
        Assert.Equal(TestPicture.Variant(picture), cube.Variant(8, name).Bytes);
    }
}
