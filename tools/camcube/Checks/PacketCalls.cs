namespace CamCube.Tool.Checks;

/// <summary>Which members make a packet a method's own, and which end that.</summary>
internal static class PacketCalls
{
    private const string Server = "CamCube.IServer";
    private const string Packets = "CamCube.IServerPackets";

    /// <summary>Whether packets come or go by it, so that its caller is worth following.</summary>
    public static bool Matters(UsedName used) =>
        HowGone(used.Type, used.Name) is not null || IsRent(used.Type, used.Name);

    /// <summary>How a packet goes that is given to this member: "sent", "released"; null: it does not.</summary>
    public static string? HowGone(string type, string name) =>
        (type, name) switch
        {
            (Server, "Send" or "SendVia" or "SendToAll") => "sent",
            (Packets, "Release") => "released",
            _ => null,
        };

    /// <summary>Whether a packet comes by it, if there is one.</summary>
    public static bool IsRent(string type, string name) => type == Packets && name is "TryRent" or "TryShare";

    /// <summary>Whether a type's members look at packets and leave them to the caller.</summary>
    public static bool Reads(string type) => type is Server or Packets;

    /// <summary>Whether it is a packet's own.</summary>
    public static bool IsPacket(string type) => type == "CamCube.Packet";
}
