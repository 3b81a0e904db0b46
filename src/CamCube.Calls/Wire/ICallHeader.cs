using CamCube.Messaging;

namespace CamCube.Calls;

/// <summary>
/// A service header by which calls and their answers find each other. Where the fields lie in it, and what else it
/// carries, is the service's own affair.
/// </summary>
/// <typeparam name="TSelf">The header itself.</typeparam>
public interface ICallHeader<TSelf> : IMessageHeader<TSelf>
    where TSelf : unmanaged, ICallHeader<TSelf>
{
    /// <summary>The call that a message belongs to.</summary>
    static abstract CallTag TagOf(in TSelf header);

    /// <summary>What a message is.</summary>
    static abstract CallPart PartOf(in TSelf header);

    /// <summary>Why, of a refusal: as it came, which may be no <see cref="RefusalReason"/> at all.</summary>
    static abstract RefusalReason ReasonOf(in TSelf header);

    /// <summary>The header of a refusal of this request.</summary>
    static abstract TSelf RefusalOf(in TSelf asked, RefusalReason reason);
}
