using CamCube.Services.Images.Storing;
using CamCube.Services.KeyValue;

namespace CamCube.Services.Images.Asking;

/// <summary>An original that is read, for its one reader.</summary>
internal sealed class ImageReader(Found found, IKeyValueReader? reader) : IImageReader
{
    public ImageAnswer Answer { get; } = found.ToAnswer();

    public void Select(long from, long length) => reader?.Select(from, length);

    public async ValueTask<(ImageStatus Status, ReadOnlyMemory<byte> Bytes)> ReadAsync()
    {
        if (reader is null || Answer.Status != ImageStatus.Done)
        {
            return (Answer.Status, default);
        }

        KeyValuePart part = await reader.ReadAsync();
        return (Originals.StatusOf(part.Status), part.Bytes);
    }

    public void Dispose() => reader?.Dispose();
}
