namespace CamCube.Services.Images.Pictures.Formats;

/// <summary>Why a picture is not taken, before anything is decoded.</summary>
public enum PictureFault : byte
{
    /// <summary>It is taken.</summary>
    None = 0,

    /// <summary>It begins as none of the four formats does (415).</summary>
    UnknownType = 1,

    /// <summary>It ends, or breaks its format's rules, before its size is known (422).</summary>
    Damaged = 2,

    /// <summary>More bytes than <see cref="PictureLimits.Bytes"/> (413).</summary>
    TooManyBytes = 3,

    /// <summary>More pixels than <see cref="PictureLimits.Pixels"/> (422).</summary>
    TooManyPixels = 4,

    /// <summary>Wider or higher than <see cref="PictureLimits.Side"/> (422).</summary>
    SideTooLong = 5,

    /// <summary>A JPEG of more than 100 scans, each of which costs a pass over all of it (422).</summary>
    TooManyScans = 6,
}
