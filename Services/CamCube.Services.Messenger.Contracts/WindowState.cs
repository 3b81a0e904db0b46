namespace CamCube.Services.Messenger;

/// <summary>Whose a window is.</summary>
public enum WindowState : byte
{
    /// <summary>Its owner's.</summary>
    Free = 0,

    /// <summary>Posted: it waits for an item.</summary>
    Posted = 1,

    /// <summary>Lent with a call: it waits for the answer.</summary>
    Lent = 2,

    /// <summary>An item is being written into it.</summary>
    Filling = 3,

    /// <summary>It is part of a message that was not released yet.</summary>
    Filled = 4,
}
