using Microsoft.CodeAnalysis;

namespace CamCube.Analyzers.Packets;

/// <summary>What may have become of the packet in a variable at some point of a method. Immutable.</summary>
internal sealed class PacketFate
{
    /// <summary>Nothing is known.</summary>
    public static readonly PacketFate None = new(null, null, "");

    private PacketFate(SyntaxNode? rented, SyntaxNode? gone, string how) => (Rented, Gone, How) = (rented, gone, how);

    /// <summary>Where it may have been rented, and is still this method's; null: nowhere.</summary>
    public SyntaxNode? Rented { get; }

    /// <summary>Where it may have been given away; null: nowhere.</summary>
    public SyntaxNode? Gone { get; }

    /// <summary>How it was given away.</summary>
    public string How { get; }

    /// <summary>It is this method's.</summary>
    public static PacketFate RentedAt(SyntaxNode place) => new(place, null, "");

    /// <summary>It is this method's no more.</summary>
    public static PacketFate GoneAt(SyntaxNode place, string how) => new(null, place, how);

    /// <summary>On one of two ways.</summary>
    public PacketFate Or(PacketFate other) =>
        Contains(other) ? this
        : other.Contains(this) ? other
        : new PacketFate(Rented ?? other.Rented, Gone ?? other.Gone, Gone is null ? other.How : How);

    private bool Contains(PacketFate other) =>
        (other.Rented is null || Rented is not null) && (other.Gone is null || Gone is not null);
}
