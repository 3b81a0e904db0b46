using CamCube.Services.Tunnel.Cards;

namespace CamCube.Experiments.Tunnels;

/// <summary>Makes the card of one server, or says why not.</summary>
internal sealed class SimulatedCards : ICardMaker
{
    /// <summary>Why there is none; null: there is.</summary>
    public string? Refusal { get; set; }

    /// <summary>The last one made.</summary>
    public SimulatedCard? Card { get; private set; }

    /// <summary>How many were made.</summary>
    public int Made { get; private set; }

    public ICard Open(CardTerms terms)
    {
        if (Refusal is not null)
        {
            throw new CardException(Refusal);
        }

        Made++;
        return Card = new SimulatedCard(terms);
    }
}
