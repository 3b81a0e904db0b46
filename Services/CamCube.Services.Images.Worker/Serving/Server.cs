using CamCube.Services.Images.Pictures.Formats;
using CamCube.Services.Images.Pictures.Wire;
using CamCube.Services.Images.Worker.Making;
using CamCube.Services.Images.Worker.Sandbox;

namespace CamCube.Services.Images.Worker.Serving;

/// <summary>Answers requests on standard input, one after the other, until there are no more.</summary>
internal static unsafe class Server
{
    private const int Input = 0;
    private const int Output = 1;
    private static readonly PictureLimits Limits = PictureLimits.Default;

    /// <summary>Says that it is ready.</summary>
    /// <param name="text">What it is.</param>
    public static void Greet(string text) =>
        Write(PictureFrames.Answer(PictureFrames.HelloId, PictureStatus.Done, [], text));

    /// <summary>Serves until the input ends.</summary>
    /// <returns>False: what came is no request.</returns>
    public static bool Run()
    {
        byte[] head = new byte[PictureFrames.RequestHead];
        byte[] specBytes = new byte[PictureFrames.MaxVariants * PictureFrames.SpecLength];
        while (TryRead(head))
        {
            if (
                !PictureFrames.TryReadRequest(
                    head,
                    out uint id,
                    out PictureHeader header,
                    out int count,
                    out int length
                )
            )
            {
                return false;
            }

            Span<byte> asked = specBytes.AsSpan(0, count * PictureFrames.SpecLength);
            if (length > Limits.Bytes || !TryRead(asked))
            {
                return false;
            }

            VariantSpec[] specs = new VariantSpec[count];
            for (int i = 0; i < count; i++)
            {
                specs[i] = PictureFrames.ReadSpec(asked[(i * PictureFrames.SpecLength)..]);
            }

            byte[] picture = GC.AllocateUninitializedArray<byte>(length);
            if (!TryRead(picture))
            {
                return false;
            }

            PictureResult result = Answer(header, picture, specs);
            Write(PictureFrames.Answer(id, result.Status, [.. result.Variants], result.Text));
        }

        return true;
    }

    /// <summary>The store has looked at the header before; who is in this process looks again, and trusts
    /// nobody.</summary>
    private static PictureResult Answer(PictureHeader asked, byte[] picture, VariantSpec[] specs)
    {
        PictureFault fault = PictureHeader.Read(picture, Limits, out PictureHeader header);
        if (fault is PictureFault.TooManyPixels or PictureFault.SideTooLong or PictureFault.TooManyBytes)
        {
            return new PictureResult(PictureStatus.TooLarge, [], "the picture is too large");
        }

        return
            fault != PictureFault.None
            || header with { Orientation = 1 } != asked
            || specs.Any(spec => spec.Width == 0 || spec.Height == 0 || spec.Fit > VariantFit.Cover)
            ? new PictureResult(PictureStatus.ParserDiffers, [], "the picture is not what the request says")
            : VariantMaker.Make(header, picture, specs);
    }

    private static bool TryRead(Span<byte> bytes)
    {
        int have = 0;
        fixed (byte* first = bytes)
        {
            while (have < bytes.Length)
            {
                nint read = SystemCalls.Read(Input, first + have, bytes.Length - have);
                if (read <= 0)
                {
                    return false;
                }

                have += (int)read;
            }
        }

        return true;
    }

    private static void Write(byte[] bytes)
    {
        int sent = 0;
        fixed (byte* first = bytes)
        {
            while (sent < bytes.Length)
            {
                nint written = SystemCalls.Write(Output, first + sent, bytes.Length - sent);
                if (written <= 0)
                {
                    Environment.Exit(3);
                }

                sent += (int)written;
            }
        }
    }
}
