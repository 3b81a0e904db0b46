namespace CamCube;

/// <summary>Which threads do work off the loop.</summary>
public enum OffloadClass
{
    /// <summary>Work of milliseconds that somebody waits for.</summary>
    Short = 0,

    /// <summary>Work of seconds and more, on threads of its own with lower priority, so that it does not stand before
    /// the short.</summary>
    Long = 1,
}
