using System.Runtime.InteropServices;

namespace CamCube;

/// <summary>An agent's place in a loop. From its turns only, except <see cref="Wake"/>.</summary>
public interface ILoopSeat
{
    /// <summary>Watches a descriptor, level-triggered unless asked otherwise. Its owner keeps it open until
    /// <see cref="Forget"/>.</summary>
    /// <param name="descriptor">The descriptor, non-blocking.</param>
    /// <param name="events">What to look for.</param>
    /// <param name="source">What its events carry.</param>
    /// <returns>A number for <see cref="Change"/> and <see cref="Forget"/>.</returns>
    /// <exception cref="IOException">The system refuses.</exception>
    int Watch(SafeHandle descriptor, LoopEvents events, object source);

    /// <summary>Looks for something else.</summary>
    void Change(SafeHandle descriptor, int number, LoopEvents events);

    /// <summary>Watches it no longer; before it is closed. Events that were on their way are not told.</summary>
    void Forget(SafeHandle descriptor, int number);

    /// <summary>Makes a turn come soon. Any thread; many calls before a turn are one. After the loop's end the turn
    /// runs on a thread that calls this, one at a time, without a service.</summary>
    void Wake();

    /// <summary>
    /// What a call into the service threw: a fault of the service, when the turn is over, and none of the agent's. The
    /// agent may let it out of its turn afterwards, or go on.
    /// </summary>
    void Fault(Exception error);

    /// <summary>Gives the place up, after everything is forgotten: no turn comes any more.</summary>
    void Leave();
}
