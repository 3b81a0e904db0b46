namespace CamCube.Cabling.Tests;

/// <summary>What a server keeps for life, in memory.</summary>
internal sealed class MemoryStore : ICablingStore
{
    private readonly Dictionary<string, string> _texts = [];

    public bool IsFull { get; set; }

    public string? Read(string name) => _texts.GetValueOrDefault(name);

    /// <summary>While it is set nothing is written until it ends.</summary>
    public TaskCompletionSource? Slow { get; set; }

    public async Task WriteAsync(string name, string text)
    {
        if (Slow is { } slow)
        {
            await slow.Task;
        }

        // ENOSPC.
        _texts[name] = IsFull ? throw new IOException("No space left on device", 28) : text;
    }

    public string PathOf(string name) => "memory/" + name;

    public void Delete(string name) => _texts.Remove(name);
}
