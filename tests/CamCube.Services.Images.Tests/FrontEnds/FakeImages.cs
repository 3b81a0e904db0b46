using System.Buffers;

namespace CamCube.Services.Images.Tests.FrontEnds;

/// <summary>An image store in the memory of one server, that does as it is told.</summary>
[CamCubeService(0x7F11, "fake-images")]
public sealed class FakeImages : CamCubeService, IImageStore
{
    private readonly Dictionary<string, (byte[] Bytes, ulong Version)> _images = new(StringComparer.Ordinal);
    private ulong _last = 16;

    /// <summary>How everything ends from now on; null: as it does.</summary>
    public ImageStatus? Ends { get; set; }

    /// <summary>Puts so far.</summary>
    public int Puts { get; private set; }

    /// <summary>Bytes of the longest picture that came.</summary>
    public int Longest { get; private set; }

    /// <inheritdoc/>
    public IReadOnlyList<string> Variants { get; } = ["thumb"];

    /// <inheritdoc/>
    public int MostBytes => 200_000;

    /// <inheritdoc/>
    public ValueTask<ImageAnswer> PutAsync(string name, ReadOnlyMemory<byte> picture, ImageCondition condition)
    {
        Puts++;
        Longest = Math.Max(Longest, picture.Length);
        ImageAnswer there = Find(name);
        if (Ends is { } end)
        {
            return new(new ImageAnswer(end) { Words = "the picture says so" });
        }

        if (!condition.Fits(there.Version))
        {
            return new(new ImageAnswer(ImageStatus.Conflict, there.Version));
        }

        _images[name] = (picture.ToArray(), ++_last);
        return new(Find(name) with { IsNew = there.Status == ImageStatus.NotFound });
    }

    /// <inheritdoc/>
    public ValueTask<ImageAnswer> FindAsync(string name) => new(Find(name));

    /// <inheritdoc/>
    public ValueTask<ImageInfo> DescribeAsync(string name) =>
        new(
            new ImageInfo(Find(name))
            {
                Root = new Coordinate(1, 0, 0),
                Servers = [new Coordinate(1, 0, 0), new Coordinate(2, 0, 0)],
                Variants = [new ImageVariantInfo("thumb", IsReady: false)],
            }
        );

    /// <inheritdoc/>
    public ValueTask<IImageReader> OpenReadAsync(string name) =>
        new(new Reader(Find(name), _images.GetValueOrDefault(name).Bytes));

    /// <inheritdoc/>
    public ValueTask<ImageAnswer> GetVariantAsync(string name, string variant, IBufferWriter<byte> into)
    {
        if (Ends is { } end)
        {
            return new(new ImageAnswer(end));
        }

        if (variant != "thumb")
        {
            return new(new ImageAnswer(ImageStatus.NoSuchVariant));
        }

        ImageAnswer there = Find(name);
        if (there.Status == ImageStatus.Done)
        {
            into.Write(_images[name].Bytes.AsSpan(0, 10));
        }

        return new(there);
    }

    /// <inheritdoc/>
    public ValueTask<ImageAnswer> DeleteAsync(string name, ImageCondition condition)
    {
        ImageAnswer there = Find(name);
        if (there.Status != ImageStatus.Done || !condition.Fits(there.Version))
        {
            return new(there with { Status = there.Version == 0 ? ImageStatus.NotFound : ImageStatus.Conflict });
        }

        _images.Remove(name);
        return new(new ImageAnswer(ImageStatus.Done, ++_last));
    }

    private ImageAnswer Find(string name) =>
        _images.TryGetValue(name, out (byte[] Bytes, ulong Version) image)
            ? new ImageAnswer(ImageStatus.Done, image.Version)
            {
                MediaType = "image/jpeg",
                Width = 640,
                Height = 480,
                Length = image.Bytes.Length,
            }
            : new ImageAnswer(ImageStatus.NotFound);

    private sealed class Reader(ImageAnswer answer, byte[]? bytes) : IImageReader
    {
        private ReadOnlyMemory<byte> _left = bytes;

        public ImageAnswer Answer => answer;

        public void Select(long from, long length) => _left = _left.Slice((int)from, (int)length);

        public ValueTask<(ImageStatus Status, ReadOnlyMemory<byte> Bytes)> ReadAsync()
        {
            ReadOnlyMemory<byte> part = _left[..Math.Min(1_000, _left.Length)];
            _left = _left[part.Length..];
            return new((ImageStatus.Done, part));
        }

        public void Dispose() { }
    }
}
