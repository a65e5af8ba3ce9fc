"""Closed forms that several cases compare with."""

from dataclasses import dataclass

import numpy as np
import pytest


@dataclass(frozen=True)
class FourBar:
    """A four-bar in closed form: pivots at (0, 0) and (ground, 0), crank angle theta.

    crank e^(i theta) + coupler e^(i beta) = ground + rocker e^(i psi)

    The dyad of coupler and rocker closes left (`side` 1) or right (-1) of the diagonal from the
    crank's end to the rocker's pivot. Source: [Norton] ch. 4, 6, 7, by complex numbers.
    """

    crank: float
    coupler: float
    rocker: float
    ground: float
    side: int = 1

    def angles(self, theta):
        """beta and psi, each up to whole turns."""
        end = self.crank * np.exp(1j * theta)
        diagonal = self.ground - end
        d = np.abs(diagonal)
        along = (self.coupler**2 - self.rocker**2 + d * d) / (2.0 * d)
        height = self.side * np.sqrt(self.coupler**2 - along * along)
        top = end + (along + 1j * height) * diagonal / d
        return np.angle(top - end), np.angle(top - self.ground)

    def rates(self, theta, speed):
        """d beta / dt and d psi / dt at a constant crank speed."""
        beta, psi = self.angles(theta)
        return (
            -speed * self.crank * np.sin(theta - psi) / (self.coupler * np.sin(beta - psi)),
            speed * self.crank * np.sin(theta - beta) / (self.rocker * np.sin(psi - beta)),
        )

    def accelerations(self, theta, speed):
        """Second derivatives of beta and psi at a constant crank speed."""
        a, b, c = self.crank, self.coupler, self.rocker
        beta, psi = self.angles(theta)
        db, dp = self.rates(theta, speed)
        centripetal = a * speed * speed
        return (
            (c * dp**2 - centripetal * np.cos(theta - psi) - b * db**2 * np.cos(beta - psi))
            / (b * np.sin(beta - psi)),
            (centripetal * np.cos(theta - beta) + b * db**2 - c * dp**2 * np.cos(psi - beta))
            / (c * np.sin(psi - beta)),
        )

    def coupler_point(self, theta, speed, place):
        """Position, velocity and acceleration, (n, 2) each, of a point of the coupler's frame."""
        beta, _ = self.angles(theta)
        db, _ = self.rates(theta, speed)
        ddb, _ = self.accelerations(theta, speed)
        arm = complex(*place) * np.exp(1j * beta)
        end = self.crank * np.exp(1j * theta)
        position = end + arm
        velocity = 1j * speed * end + 1j * db * arm
        acceleration = -(speed**2) * end + (1j * ddb - db**2) * arm
        return tuple(np.stack([z.real, z.imag], axis=1) for z in (position, velocity, acceleration))

    def transmission(self, theta):
        """|sin| of the angle between coupler and rocker: errors grow with its inverse."""
        beta, psi = self.angles(theta)
        return np.abs(np.sin(beta - psi))


@pytest.fixture(scope="session")
def closed_form():
    return FourBar


@pytest.fixture(scope="session")
def turned_alike():
    """Assert that angles are equal up to whole turns."""

    def check(angles, expected, atol):
        difference = (np.asarray(angles) - expected + np.pi) % (2.0 * np.pi) - np.pi
        assert np.abs(difference).max() < atol

    return check
