namespace CamCube;

/// <summary>Layout and text of owner words.</summary>
internal static class OwnerWords
{
    /// <summary>Slot number of the runtime itself.</summary>
    public const int NoSlot = 0xFF;

    public static uint Make(PacketState state, int slot, int server) =>
        ((uint)state << 28) | ((uint)slot << 20) | (uint)server;

    /// <summary>The owner for people. Whoever knows servers and services by name says so: told the server's rank and
    /// the slot, or <see cref="NoSlot"/>.</summary>
    public static string Describe(uint word, Func<int, int, string> nameOf) =>
        word == 0 ? "free" : $"{(PacketState)(word >> 28)} {nameOf((int)(word & 0xFFFFF), (int)(word >> 20 & 0xFF))}";

    public static string Describe(uint word)
    {
        if (word == 0)
        {
            return "free";
        }

        uint slot = word >> 20 & 0xFF;
        string who = slot == NoSlot ? "" : $" by service slot {slot}";
        return $"{(PacketState)(word >> 28)}{who} at server rank {word & 0xFFFFF}";
    }
}
