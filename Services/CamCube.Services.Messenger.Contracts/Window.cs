namespace CamCube.Services.Messenger;

/// <summary>
/// Memory into which others' long messages are written: an item into a posted window, an answer into one that was lent
/// with a call. Made once and used again and again, from the messenger's allocator
/// (<see cref="IMessenger.TryRentWindow"/>) or over memory of one's own. While it is not
/// <see cref="WindowState.Free"/> its bytes may change. Loop only.
/// </summary>
/// <param name="memory">Its bytes.</param>
public sealed class Window(Memory<byte> memory)
{
    /// <summary>Its bytes.</summary>
    public Memory<byte> Memory { get; } = memory;

    /// <summary>How many.</summary>
    public int Length => Memory.Length;

    /// <summary>Whose it is.</summary>
    public WindowState State { get; private set; }

    /// <summary>Whatever its owner wants to find again.</summary>
    public object? Tag { get; set; }

    /// <summary>For the messenger: the only way in which the state changes. False: it is not in that state.</summary>
    public bool TryMove(WindowState from, WindowState to)
    {
        if (State != from)
        {
            return false;
        }

        State = to;
        return true;
    }
}
