using CamCube.Services.Images.Pictures.Formats;
using CamCube.Services.Images.Pictures.Wire;
using CamCube.Workers;

namespace CamCube.Services.Images.Pictures.Tests.Workers;

/// <summary>Real workers: a pool of their own for each kit.</summary>
internal sealed class WorkerKit : IDisposable
{
    private static int _pools;
    private readonly IWorkers _pool;
    private readonly List<string> _log = [];

    /// <summary>Starts nothing until something is asked.</summary>
    /// <param name="options">Null: one worker that a busy machine does not kill.</param>
    /// <param name="arguments">The program's.</param>
    public WorkerKit(WorkerOptions? options = null, params string[] arguments)
    {
        WorkerKind kind = PictureProgram.Kind(options ?? Patient, Log);
        _pool = WorkerPools.Open(
            kind with
            {
                Name = $"images-{Interlocked.Increment(ref _pools)}",
                Arguments = arguments,
            }
        );
        Pictures = new PictureWorkers(_pool);
    }

    public static WorkerOptions Patient { get; } =
        new()
        {
            Processes = 1,
            Deadline = TimeSpan.FromSeconds(120),
            StartDeadline = TimeSpan.FromSeconds(120),
        };

    /// <summary>The usual request.</summary>
    public static VariantSpec[] Thumb { get; } = [new(32, 32)];

    public PictureWorkers Pictures { get; }

    /// <summary>What pool and workers said.</summary>
    public string[] Lines
    {
        get
        {
            lock (_log)
            {
                return [.. _log];
            }
        }
    }

    /// <summary>Makes variants of a picture whose header the parser takes.</summary>
    public async Task<PictureResult> MakeAsync(byte[] picture, params VariantSpec[] specs)
    {
        PictureFault fault = PictureHeader.Read(picture, PictureLimits.Default, out PictureHeader header);
        Assert.Equal(PictureFault.None, fault);
        return await Pictures.MakeAsync(header, picture, specs.Length == 0 ? Thumb : specs);
    }

    /// <summary>A sound JPEG or WebP: a variant of a PNG of ours.</summary>
    public async Task<byte[]> EncodedAsync(int width, int height, bool isWebP)
    {
        PictureResult result = await MakeAsync(
            PictureBuilder.Png(width, height, isWebP),
            new VariantSpec((ushort)width, (ushort)height)
        );
        Assert.Equal(PictureStatus.Done, result.Status);
        return result.Variants[0].Bytes.ToArray();
    }

    /// <summary>The processes of workers that this process has now.</summary>
    public static int[] Processes() =>
        [
            .. Directory
                .GetDirectories("/proc/self/task")
                .SelectMany(task => TryRead(task + "/children").Split(' ', StringSplitOptions.RemoveEmptyEntries))
                .Select(int.Parse),
        ];

    /// <summary>The most bytes of memory that each worker of this process has had at once, while it was this
    /// program.</summary>
    public static long[] PeakBytes() =>
        [
            .. Processes()
                .SelectMany(id => TryRead($"/proc/{id}/status").Split('\n'))
                .Where(line => line.StartsWith("VmHWM:", StringComparison.Ordinal))
                .Select(line => long.Parse(line["VmHWM:".Length..^"kB".Length]) << 10),
        ];

    public static string TryRead(string file)
    {
        try
        {
            return File.ReadAllText(file);
        }
        catch (IOException)
        {
            return "";
        }
    }

    public void Dispose() => Pictures.Dispose();

    private void Log(string line)
    {
        lock (_log)
        {
            _log.Add(line);
        }
    }
}
