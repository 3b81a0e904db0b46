using System.Buffers;
using System.Security.Cryptography;
using CamCube.Services.Images.Pictures.Formats;
using CamCube.Services.Images.Pictures.Wire;
using CamCube.Workers;

namespace CamCube.Services.Images.Pictures.Simulated;

/// <summary>
/// Picture workers in virtual time. A variant is a function of the picture and of what was asked for, and begins as a
/// file of its format does; it is no picture. A picture's last eight bytes may say that it is a hostile one.
/// </summary>
public static class SimulatedPictures
{
    private const int VariantLength = 3_500;
    private static readonly TimeSpan PerMegapixel = TimeSpan.FromMilliseconds(20);

    /// <summary>A picture that ends so kills its worker.</summary>
    public static ReadOnlySpan<byte> Dies => "CCWDIES!"u8;

    /// <summary>A picture that ends so hangs its worker.</summary>
    public static ReadOnlySpan<byte> Hangs => "CCWHANGS"u8;

    /// <summary>The worker answers rubbish to a picture that ends so.</summary>
    public static ReadOnlySpan<byte> Rubbish => "CCWRUBB!"u8;

    /// <summary>A picture that ends so cannot be decoded.</summary>
    public static ReadOnlySpan<byte> Damaged => "CCWDAMG!"u8;

    /// <summary>Workers of a server in virtual time.</summary>
    /// <param name="server">The server.</param>
    /// <param name="options">How many at once, and so on.</param>
    public static FunctionWorkers Workers(IServer server, WorkerOptions options) => new(server, Answer, options);

    /// <summary>How long a picture takes in virtual time.</summary>
    public static TimeSpan CostOf(PictureHeader header) => PerMegapixel * ((long)header.Width * header.Height / 1e6);

    /// <summary>The variant that is made of a picture.</summary>
    /// <param name="picture">The picture.</param>
    /// <param name="header">What its header says.</param>
    /// <param name="spec">What was asked for.</param>
    public static Variant Make(ReadOnlySpan<byte> picture, PictureHeader header, VariantSpec spec)
    {
        byte[] bytes = new byte[VariantLength];
        byte[] seed = SHA256.HashData([
            .. SHA256.HashData(picture),
            .. BitConverter.GetBytes(spec.Width),
            .. BitConverter.GetBytes(spec.Height),
            (byte)spec.Fit,
            spec.Quality,
        ]);
        for (int i = 0; i < bytes.Length; i++)
        {
            bytes[i] = (byte)(seed[i % seed.Length] + (i / seed.Length));
        }

        bytes[0] = 0xFF;
        bytes[1] = 0xD8;
        bytes[2] = 0xFF;
        double scale = Math.Min(
            1,
            Math.Min((double)spec.Width / header.UprightWidth, (double)spec.Height / header.UprightHeight)
        );
        return new Variant(
            PictureFormat.Jpeg,
            Math.Max(1, (int)(header.UprightWidth * scale)),
            Math.Max(1, (int)(header.UprightHeight * scale)),
            bytes
        );
    }

    private static WorkerResult Answer(WorkerJob job)
    {
        byte[] request = job.Request.ToArray();
        if (
            !PictureFrames.TryReadRequest(request, out uint id, out PictureHeader header, out int count, out int length)
        )
        {
            return new WorkerResult(WorkerStatus.Died, default, "no request");
        }

        int specs = PictureFrames.RequestHead;
        ReadOnlySpan<byte> picture = request.AsSpan(specs + (count * PictureFrames.SpecLength), length);
        if (picture.EndsWith(Dies))
        {
            return new WorkerResult(WorkerStatus.Died, default, "the picture says so");
        }

        if (picture.EndsWith(Hangs))
        {
            return new WorkerResult(WorkerStatus.TimedOut, default, "the picture says so");
        }

        if (picture.EndsWith(Rubbish))
        {
            return new WorkerResult(WorkerStatus.Rubbish, default, "the picture says so");
        }

        if (picture.EndsWith(Damaged))
        {
            return Answered(PictureFrames.Answer(id, PictureStatus.Damaged, [], "the picture says so"));
        }

        Variant[] variants = new Variant[count];
        for (int i = 0; i < count; i++)
        {
            ReadOnlySpan<byte> spec = request.AsSpan(specs + (i * PictureFrames.SpecLength));
            variants[i] = Make(picture, header, PictureFrames.ReadSpec(spec));
        }

        return Answered(PictureFrames.Answer(id, PictureStatus.Done, variants, ""));
    }

    private static WorkerResult Answered(byte[] frame) => new(WorkerStatus.Answered, frame, "");
}
