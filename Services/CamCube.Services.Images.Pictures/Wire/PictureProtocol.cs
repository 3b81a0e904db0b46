using CamCube.Workers;

namespace CamCube.Services.Images.Pictures.Wire;

/// <summary>Where the frames of picture workers end.</summary>
public sealed class PictureProtocol : WorkerProtocol
{
    /// <inheritdoc/>
    public override int MeasureHello(ReadOnlySpan<byte> received) => PictureFrames.Measure(received);

    /// <inheritdoc/>
    public override int MeasureAnswer(ReadOnlySpan<byte> received) => PictureFrames.Measure(received);

    /// <inheritdoc/>
    public override string TextOf(ReadOnlySpan<byte> hello) => PictureFrames.TextOf(hello);
}
