namespace CamCube.Services.Camdoop;

/// <summary>How bytes of files become records.</summary>
public enum JobInput : byte
{
    /// <summary>A line is a record: its key is where it begins in the file, as decimal digits; its value is the
    /// line.</summary>
    Lines = 0,

    /// <summary>A line is a record: what is before the first <see cref="JobText.InputSeparator"/> is its key, what is
    /// behind it its value. Without one all of it is the key.</summary>
    KeyedLines = 1,

    /// <summary>As <see cref="Lines"/>, and each map task has <see cref="JobText.LinesPerMap"/> of them.</summary>
    LinesByNumber = 2,
}
