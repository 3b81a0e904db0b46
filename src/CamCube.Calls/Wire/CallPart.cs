namespace CamCube.Calls;

/// <summary>What a message means to whoever asked.</summary>
public enum CallPart : byte
{
    /// <summary>Nothing: it is a request, or of another part of the service.</summary>
    None = 0,

    /// <summary>A root did it.</summary>
    Done = 1,

    /// <summary>A server did not do it: the content is a <see cref="RefusalHead"/>.</summary>
    Refused = 2,
}
