namespace CamCube.Client.Cache.Tests.Kit;

/// <summary>What a fake server does with a command.</summary>
/// <param name="Text">Said instead of the answer; null: the answer.</param>
/// <param name="IsHeld">Not said before the test lets it.</param>
/// <param name="ThenCloses">Whether the connection is closed after it.</param>
internal readonly record struct Reaction(string? Text, bool IsHeld = false, bool ThenCloses = false)
{
    public static Reaction Answer => new(null);

    public static Reaction Hold => new(null, IsHeld: true);

    public static Reaction Close => new("", ThenCloses: true);
}
