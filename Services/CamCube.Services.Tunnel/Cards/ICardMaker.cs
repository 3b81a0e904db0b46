namespace CamCube.Services.Tunnel.Cards;

/// <summary>Makes network cards. Any thread.</summary>
internal interface ICardMaker
{
    /// <summary>Makes one. Takes milliseconds: off the loop.</summary>
    /// <exception cref="CardException">It cannot.</exception>
    ICard Open(CardTerms terms);
}
