using System.IO.Compression;
using System.Text;
using CamCube.Services.Images.Pictures.Formats;
using CamCube.Services.Images.Pictures.Wire;
using CamCube.Tests;
using CamCube.Workers;

namespace CamCube.Services.Images.Pictures.Tests.Workers;

public sealed class HostilePictureTests
{
    // Processor time of a worker's life: what its start takes, and 2 s. Then the kernel ends it, and the test sees
    // that.
    private static readonly WorkerOptions Limited = WorkerKit.Patient with
    {
        ProcessorLimit = TimeSpan.FromSeconds(4),
        Deadline = TimeSpan.FromSeconds(60),
    };

    public static TheoryData<string> Bombs =>
        ["empty png", "interlaced", "interlaced, fits", "frames", "scans", "icc", "text", "exif"];

    [Theory]
    [MemberData(nameof(Bombs))]
    public async Task A_bomb_ends_within_two_seconds_of_processor_time_and_the_pool_goes_on(string name)
    {
        using WorkerKit kit = new(Limited);
        byte[] jpeg = await kit.EncodedAsync(300, 200, isWebP: false);
        byte[] bomb = name switch
        {
            // 49 million pixels of nothing.
            "empty png" => PictureBuilder.EmptyPng(7_000, 7_000, 8, 6, 7_000L * 28_001),
            "interlaced" => PictureBuilder.EmptyPng(7_000, 7_000, 16, 6, 7_000L * 56_010, isInterlaced: true),
            "interlaced, fits" => PictureBuilder.EmptyPng(4_500, 4_500, 16, 6, 4_500L * 36_010, isInterlaced: true),
            "frames" => PictureBuilder.Gif(2_000, 2_000, 10_000),
            "scans" => PictureBuilder.Progressive(7_000, 7_000, 100),
            "icc" => PictureBuilder.With(
                jpeg,
                [
                    .. Enumerable
                        .Range(1, 255)
                        .Select(i =>
                            PictureBuilder.Segment(
                                0xE2,
                                [.. "ICC_PROFILE\0"u8, (byte)i, 255, .. Enumerable.Repeat((byte)i, 65_000)]
                            )
                        ),
                ]
            ),
            "text" => PictureBuilder.Png(
                30,
                20,
                false,
                PictureBuilder.Chunk("zTXt", [.. "a\0\0"u8, .. PictureBuilder.Deflated(new byte[200_000_000])]),
                PictureBuilder.Chunk("iCCP", [.. "a\0\0"u8, .. PictureBuilder.Deflated(new byte[200_000_000])])
            ),
            _ => PictureBuilder.With(
                jpeg,
                [.. Enumerable.Repeat(PictureBuilder.Segment(0xE1, PictureBuilder.ExifLoop()), 100)]
            ),
        };
        PictureResult result = await kit.MakeAsync(bomb);
        Assert.DoesNotContain(kit.Lines, line => line.Contains("signal 24") || line.Contains("signal 9"));
        Assert.Contains(result.Status, Ends);

        // The most that it had at once, libraries' pages too.
        Assert.All(WorkerKit.PeakBytes(), peak => Assert.InRange(peak, 1, 256 << 20));
        Assert.Equal(PictureStatus.Done, (await kit.MakeAsync(jpeg)).Status);
        if (result.Status == PictureStatus.Killer)
        {
            Assert.Equal(1, kit.Pictures.Summary.Remembered);
            Assert.Equal(PictureStatus.Killer, (await kit.MakeAsync(bomb)).Status);
            Assert.Equal(1, kit.Pictures.Summary.Killed);
        }
    }

    [Fact]
    public async Task A_size_that_the_library_sees_otherwise_is_refused()
    {
        using WorkerKit kit = new();

        // One of the old screens' sizes, for which the library takes its frame.
        PictureResult result = await kit.MakeAsync(PictureBuilder.Gif(640, 480));
        Assert.Equal(PictureStatus.ParserDiffers, result.Status);
    }

    [Theory]
    [InlineData("html")]
    [InlineData("zip")]
    [InlineData("js")]
    public async Task A_polyglot_becomes_a_variant_that_is_a_picture_and_nothing_else(string kind)
    {
        using WorkerKit kit = new();
        byte[] jpeg = await kit.EncodedAsync(300, 200, isWebP: false);
        byte[] script = Encoding.ASCII.GetBytes("<html><script>alert(1)</script></html>");
        byte[] polyglot = kind switch
        {
            "html" => [.. PictureBuilder.With(jpeg, PictureBuilder.Segment(0xFE, script)), .. script],
            "zip" => [.. jpeg, .. Zip(script)],

            // The length of its first segment begins a comment, and what stands behind that is a script.
            _ => PictureBuilder.With(
                jpeg,
                PictureBuilder.Segment(0xE0, [.. "*/=1;alert(1)/*"u8, .. new byte[0x2F2A - 2 - 15]])
            ),
        };
        PictureResult result = await kit.MakeAsync(polyglot);
        Assert.Equal(PictureStatus.Done, result.Status);
        ReadOnlySpan<byte> variant = result.Variants[0].Bytes.Span;
        Assert.Equal(-1, variant.IndexOf("script"u8));
        Assert.Equal(-1, variant.IndexOf("alert"u8));
        Assert.Equal(-1, variant.IndexOf("PK\u0003\u0004"u8));
    }

    private static byte[] Zip(byte[] content)
    {
        using MemoryStream bytes = new();
        using (ZipArchive archive = new(bytes, ZipArchiveMode.Create, leaveOpen: true))
        {
            using Stream entry = archive.CreateEntry("a.html", CompressionLevel.NoCompression).Open();
            entry.Write(content);
        }

        return bytes.ToArray();
    }

    [Fact]
    public async Task Truncations_are_refused_or_made_and_cost_no_worker()
    {
        using WorkerKit kit = new();
        foreach (byte[] whole in await SamplesAsync(kit))
        {
            for (int i = 0; i < 64; i++)
            {
                byte[] cut = whole[..(whole.Length * i / 64)];
                if (CanRead(cut))
                {
                    Assert.Contains((await kit.MakeAsync(cut)).Status, Ends);
                }
            }
        }

        Assert.Equal(0, kit.Pictures.Summary.Killed);
    }

    [Theory]
    [InlineData(PictureFormat.Png)]
    [InlineData(PictureFormat.Gif)]
    [InlineData(PictureFormat.Jpeg)]
    [InlineData(PictureFormat.WebP)]
    public async Task A_picture_whose_end_is_missing_is_refused(PictureFormat format)
    {
        using WorkerKit kit = new();

        // Of a GIF the first frame is looked at, and many there are have no trailer.
        byte[] whole =
            format == PictureFormat.Gif
                ? PictureBuilder.Gif(60, 40)[..^1]
                : (await SamplesAsync(kit)).Single(sample => PictureHeader.TypeOf(sample) == format);
        List<int> taken = [];
        for (int i = 1; i < 64; i++)
        {
            byte[] cut = whole[..(whole.Length * i / 64)];
            if (CanRead(cut) && (await kit.MakeAsync(cut)).Status != PictureStatus.Damaged)
            {
                taken.Add(cut.Length);
            }
        }

        Assert.Empty(taken);
        Assert.Equal(PictureStatus.Done, (await kit.MakeAsync(whole)).Status);
        Assert.Equal(0, kit.Pictures.Summary.Killed);
    }

    /// <summary>500 mutations of each format, or as many as <c>CAMCUBE_MUTATIONS</c> says, from
    /// <c>CAMCUBE_FUZZ_SEED</c>.</summary>
    [Fact]
    public async Task Mutations_end_and_the_pool_goes_on()
    {
        int count = int.TryParse(Environment.GetEnvironmentVariable("CAMCUBE_MUTATIONS"), out int given) ? given : 500;
        int seed = int.TryParse(Environment.GetEnvironmentVariable("CAMCUBE_FUZZ_SEED"), out int s)
            ? s
            : Environment.ProcessId;
        Random random = new(seed);
        using WorkerKit kit = new(WorkerKit.Patient with { RememberedKillers = 0 });
        byte[][] samples = [.. await SamplesAsync(kit)];
        Dictionary<PictureStatus, int> ends = [];
        for (int i = 0; i < count * samples.Length; i++)
        {
            byte[] bent = random.Bend(samples[i % samples.Length], samples[(i + 1) % samples.Length], 10_000);
            if (CanRead(bent))
            {
                PictureStatus status = (await kit.MakeAsync(bent)).Status;
                ends[status] = ends.GetValueOrDefault(status) + 1;
                Assert.True(Ends.Contains(status), $"CAMCUBE_FUZZ_SEED={seed}, mutation {i}: {status}");
            }
        }

        TestContext.Current.TestOutputHelper?.WriteLine(
            $"CAMCUBE_FUZZ_SEED={seed}: {string.Join(", ", ends)}; {kit.Pictures.Summary.Killed} workers lost"
        );
        Assert.Equal(PictureStatus.Done, (await kit.MakeAsync(samples[0])).Status);
    }

    private static PictureStatus[] Ends { get; } =
    [
        PictureStatus.Done,
        PictureStatus.NotThisFormat,
        PictureStatus.Damaged,
        PictureStatus.TooLarge,
        PictureStatus.ParserDiffers,
        PictureStatus.Killer,
    ];

    private static bool CanRead(byte[] picture) =>
        PictureHeader.Read(picture, PictureLimits.Default, out _) == PictureFault.None;

    private static async Task<IEnumerable<byte[]>> SamplesAsync(WorkerKit kit) =>
        [
            PictureBuilder.Png(60, 40),
            PictureBuilder.Gif(60, 40, 3),
            await kit.EncodedAsync(60, 40, isWebP: false),
            await kit.EncodedAsync(60, 40, isWebP: true),
        ];
}
