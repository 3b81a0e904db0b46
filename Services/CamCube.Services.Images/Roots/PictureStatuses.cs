using CamCube.Services.Images.Pictures.Formats;
using CamCube.Services.Images.Pictures.Wire;

namespace CamCube.Services.Images.Roots;

/// <summary>What faults of pictures are for those who asked.</summary>
internal static class PictureStatuses
{
    public static ImageStatus Of(PictureFault fault) =>
        fault switch
        {
            PictureFault.None => ImageStatus.Done,
            PictureFault.UnknownType => ImageStatus.UnknownType,
            PictureFault.TooManyBytes => ImageStatus.TooLarge,
            PictureFault.TooManyPixels or PictureFault.SideTooLong => ImageStatus.TooManyPixels,
            _ => ImageStatus.Undecodable,
        };

    public static ImageStatus Of(PictureStatus status) =>
        status switch
        {
            PictureStatus.Done => ImageStatus.Done,
            PictureStatus.Busy => ImageStatus.Busy,
            PictureStatus.Unavailable => ImageStatus.NoWorkers,
            PictureStatus.Stopped => ImageStatus.Unavailable,
            _ => ImageStatus.Undecodable,
        };
}
